-- AlterTable
ALTER TABLE "account_imports" ADD COLUMN     "payload_digest" BYTEA;