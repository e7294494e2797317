-- AlterTable
ALTER TABLE "account_imports" ADD COLUMN     "erased_at" TIMESTAMPTZ(3),
ADD COLUMN     "payload_removed_at" TIMESTAMPTZ(3),
ALTER COLUMN "payload" DROP NOT NULL;

-- Answers that the version before has kept name no account, so that an erasure passes them over until they expire,
-- within 24 hours. To remove them would be worse: a request that is repeated after the upgrade would have its effect
-- twice.
ALTER TABLE "idempotency_keys" ADD COLUMN     "account_import_id" UUID;
