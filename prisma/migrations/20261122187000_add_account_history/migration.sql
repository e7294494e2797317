-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "last_statement_balance" DECIMAL(13,2),
    ADD CONSTRAINT "accounts_last_statement_balance_check" CHECK ("last_statement_balance" <> 'NaN') NOT VALID;

-- AlterTable
ALTER TABLE "transactions" ADD COLUMN     "is_historical" BOOLEAN NOT NULL DEFAULT false;
