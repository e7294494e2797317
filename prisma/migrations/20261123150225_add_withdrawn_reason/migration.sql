-- AlterTable
ALTER TABLE "manifests" ADD COLUMN     "withdrawn_reason" TEXT;
ALTER TABLE "manifests"
    ADD CONSTRAINT "manifests_withdrawn_reason_check" CHECK ("withdrawn_reason" IS NULL OR "state" = 'WITHDRAWN') NOT VALID;
ALTER TABLE "manifests" VALIDATE CONSTRAINT "manifests_withdrawn_reason_check";
