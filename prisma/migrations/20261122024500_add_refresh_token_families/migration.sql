-- AlterTable
ALTER TABLE "refresh_tokens" ADD COLUMN     "family" BYTEA,
ADD COLUMN     "family_expires_at" TIMESTAMPTZ(0),
ADD COLUMN     "reused_at" TIMESTAMPTZ(3),
ADD COLUMN     "used_at" TIMESTAMPTZ(3);
