-- Whoever reads a job adds up its chunks: of 100,000 of them that took half a second. Chunks that are done are folded,
-- many into one row: each is counted where it is itself, or in one fold.
ALTER TABLE "bulk_chunks" ADD COLUMN "folded" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "bulk_chunks"
    ADD CONSTRAINT "bulk_chunks_folded_check" CHECK (NOT "folded" OR "done") NOT VALID;

-- What chunks add up to that are folded. The number is that of the first of them; "lines" are done. "slots" has them by
-- when they were finished: by the number of the ten seconds since 1970; "ended_at" is when the last ones were.
CREATE TABLE "bulk_folds" (
    "job_id" UUID NOT NULL,
    "run" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "lines" INTEGER NOT NULL,
    "counts" JSONB NOT NULL,
    "sums" JSONB NOT NULL,
    "begun_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "slots" JSONB NOT NULL,

    CONSTRAINT "bulk_folds_pkey" PRIMARY KEY ("job_id","run","number")
);

-- The problems of the chunks that are folded. The id is derived from the kind of problem.
CREATE TABLE "bulk_problems" (
    "job_id" UUID NOT NULL,
    "run" INTEGER NOT NULL,
    "id" UUID NOT NULL,
    "operation" TEXT NOT NULL,
    "refused" BOOLEAN NOT NULL,
    "code" TEXT NOT NULL,
    "attr" TEXT NOT NULL,
    "accounts" INTEGER NOT NULL,
    "sample_account_numbers" JSONB NOT NULL,

    CONSTRAINT "bulk_problems_pkey" PRIMARY KEY ("job_id","run","id")
);

-- CreateIndex
CREATE INDEX "bulk_chunks_not_folded_idx" ON "bulk_chunks"("job_id", "run", "number") WHERE "cursor" > 0 AND NOT "folded";
CREATE INDEX "bulk_chunks_finished_at_idx" ON "bulk_chunks"("job_id", "run", "finished_at");

-- AddForeignKey
ALTER TABLE "bulk_folds" ADD CONSTRAINT "bulk_folds_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "bulk_jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bulk_problems" ADD CONSTRAINT "bulk_problems_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "bulk_jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
