-- How many ranges, from the first one, were read again since the last comparison: their accounts have not changed, or
-- they are no longer done. The adding up of "revisions" has the accounts that are not created too: for each that the
-- manifest names the transaction that last changed it.
ALTER TABLE "reconciliations" ADD COLUMN "read_again" INTEGER NOT NULL DEFAULT 0;
