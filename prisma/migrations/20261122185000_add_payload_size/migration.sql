-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "payload_size" INTEGER;
