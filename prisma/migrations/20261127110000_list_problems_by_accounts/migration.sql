-- Problems are listed from the one of most accounts on, and counted, in this order: however many there are.
CREATE INDEX "import_problems_most_accounts_idx" ON "import_problems"("import_supplier_code", "accounts" DESC, "is_refusal", "id");
DROP INDEX "import_problems_import_supplier_code_idx";
