-- A sample has the kinds of problem that were open, and how long it took to count all import suppliers of its time: the
-- next one is due twenty times as long after it, whichever instance takes it. Nothing has written samples before.
ALTER TABLE "progress_samples"
    ADD COLUMN "problems" INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN "took_ms" INTEGER NOT NULL DEFAULT 0;
ALTER TABLE "progress_samples"
    ADD CONSTRAINT "progress_samples_counts_check" CHECK (
        "staged" >= 0 AND "failed" >= 0 AND "skipped" >= 0 AND "completed" >= 0 AND "problems" >= 0 AND "took_ms" >= 0) NOT VALID;
