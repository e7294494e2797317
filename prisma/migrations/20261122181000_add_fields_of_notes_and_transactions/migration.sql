-- AlterTable
ALTER TABLE "notes" ADD COLUMN     "external_id" TEXT,
ADD COLUMN     "is_archived" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "is_generated" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "supply_point_identifier" TEXT;
