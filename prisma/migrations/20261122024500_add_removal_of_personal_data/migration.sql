-- AlterTable
ALTER TABLE "account_imports" ADD COLUMN     "erased_at" TIMESTAMPTZ(3),
ADD COLUMN     "payload_removed_at" TIMESTAMPTZ(3),
ALTER COLUMN "payload" DROP NOT NULL;

-- AlterTable
ALTER TABLE "idempotency_keys" ADD COLUMN     "account_import_id" UUID;

-- CreateIndex
CREATE INDEX "idempotency_keys_account_import_id_idx" ON "idempotency_keys"("account_import_id");

-- What the removal looks for, oldest first: it costs what is to be removed, however many accounts there are.
CREATE INDEX "account_imports_completed_at_with_payload_idx" ON "account_imports"("completed_at")
WHERE "completed_at" IS NOT NULL AND "payload" IS NOT NULL;
