-- AlterTable
ALTER TABLE "account_imports" ADD COLUMN     "kept_fields" JSON;

-- CreateTable
CREATE TABLE "kept_fields" (
    "account_import_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "operation" TEXT NOT NULL,
    "fields" JSON NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "kept_fields_pkey" PRIMARY KEY ("account_import_id","id")
);

-- AddForeignKey
ALTER TABLE "kept_fields" ADD CONSTRAINT "kept_fields_account_import_id_fkey" FOREIGN KEY ("account_import_id") REFERENCES "accounts"("account_import_id") ON DELETE RESTRICT ON UPDATE CASCADE;
