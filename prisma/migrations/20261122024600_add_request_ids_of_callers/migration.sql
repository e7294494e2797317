-- AlterTable
ALTER TABLE "audit_events" ADD COLUMN     "caller_request_id" TEXT;
