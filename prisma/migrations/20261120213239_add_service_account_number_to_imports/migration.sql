-- AlterTable
ALTER TABLE "account_imports" ADD COLUMN     "service_account_number" TEXT;
