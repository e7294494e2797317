-- CreateEnum
CREATE TYPE "statement_amount_unit" AS ENUM ('MAJOR', 'MINOR');

-- CreateEnum
CREATE TYPE "balance_check" AS ENUM ('OFF', 'REPORT', 'REFUSE');

-- AlterTable
ALTER TABLE "import_suppliers" ADD COLUMN     "account_types" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "balance_check" "balance_check" NOT NULL DEFAULT 'REPORT',
ADD COLUMN     "empty_means_omitted" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "keep_undocumented_fields" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "statement_amount_unit" "statement_amount_unit" NOT NULL DEFAULT 'MAJOR';
