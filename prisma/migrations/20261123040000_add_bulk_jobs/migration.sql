-- CreateEnum
CREATE TYPE "bulk_job_kind" AS ENUM ('STAGE', 'MOVE', 'PROCESS');
CREATE TYPE "bulk_job_state" AS ENUM ('OPEN', 'PLANNING', 'RUNNING', 'PAUSED', 'REHEARSED', 'FINISHED', 'CANCELLED');
CREATE TYPE "bulk_run_mode" AS ENUM ('REAL', 'REHEARSAL');

-- How many chunks of a job the organisation may have worked on at the same time.
ALTER TABLE "import_suppliers" ADD COLUMN "bulk_parallelism" INTEGER NOT NULL DEFAULT 2;
ALTER TABLE "import_suppliers"
    ADD CONSTRAINT "import_suppliers_bulk_parallelism_check" CHECK ("bulk_parallelism" BETWEEN 1 AND 16) NOT VALID;

-- A whole book, or a cohort that is staged already, moved by the service. What has happened is in the chunks only: there
-- is no counter that all lanes would wait for. "run" numbers the starts; "report" is that of the last rehearsal.
-- "creation_order" follows the commits of an import supplier's jobs: lists follow it.
CREATE TABLE "bulk_jobs" (
    "id" UUID NOT NULL,
    "import_supplier_code" TEXT NOT NULL,
    "creation_order" BIGSERIAL NOT NULL,
    "kind" "bulk_job_kind" NOT NULL,
    "label" TEXT,
    "options" JSONB NOT NULL,
    "selection" JSONB NOT NULL,
    "state" "bulk_job_state" NOT NULL DEFAULT 'OPEN',
    "state_reason" TEXT,
    "run" INTEGER NOT NULL DEFAULT 0,
    "run_mode" "bulk_run_mode",
    "lines" INTEGER,
    "report" JSONB,
    "created_by" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "resumed_at" TIMESTAMPTZ(3),
    "paused_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "files_expire_at" TIMESTAMPTZ(3),
    "files_removed_at" TIMESTAMPTZ(3),
    "next_claim_at" TIMESTAMPTZ(3),

    CONSTRAINT "bulk_jobs_pkey" PRIMARY KEY ("id")
);

-- What was uploaded, as far as it was answered: the digest is of the bytes as they were sent.
CREATE TABLE "bulk_parts" (
    "job_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "bytes" INTEGER NOT NULL,
    "lines" INTEGER NOT NULL,
    "sha256" BYTEA NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "bulk_parts_pkey" PRIMARY KEY ("job_id","number")
);

-- The lines of a part as they were sent, some together and compressed (zstd). The number is that of the part times 1,000
-- and the place in it. A body is deleted by the transaction that has moved its lines.
-- "lines" does not count blank ones; "span" does: where the line numbers of the next body begin.
-- "account_ids" are the ids of the lines' account imports, to find those that come twice; NULL for a line that names none.
CREATE TABLE "bulk_bodies" (
    "job_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "lines" INTEGER NOT NULL,
    "span" INTEGER NOT NULL,
    "account_ids" UUID[] NOT NULL,
    "body" BYTEA NOT NULL,

    CONSTRAINT "bulk_bodies_pkey" PRIMARY KEY ("job_id","number")
);
-- It is compressed already.
ALTER TABLE "bulk_bodies" ALTER COLUMN "body" SET STORAGE EXTERNAL;

-- What is done together, in one transaction, whose lock on the row is the lease. For an upload the number is that of the
-- body; a chunk of a cohort has the ids of its accounts instead. "cursor" says how many of its lines are done.
-- "duplicates" are the places, from 1, of lines whose account an earlier line of the upload names.
CREATE TABLE "bulk_chunks" (
    "job_id" UUID NOT NULL,
    "run" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "first_line" INTEGER NOT NULL,
    "lines" INTEGER NOT NULL,
    "account_import_ids" UUID[],
    "duplicates" INTEGER[] NOT NULL DEFAULT '{}',
    "cursor" INTEGER NOT NULL DEFAULT 0,
    "done" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "not_before" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "counts" JSONB NOT NULL DEFAULT '{}',
    "sums" JSONB NOT NULL DEFAULT '{}',
    "clusters" JSONB NOT NULL DEFAULT '[]',
    "results" BYTEA,
    "refused_lines" BYTEA,

    CONSTRAINT "bulk_chunks_pkey" PRIMARY KEY ("job_id","run","number")
);
ALTER TABLE "bulk_chunks" ALTER COLUMN "results" SET STORAGE EXTERNAL, ALTER COLUMN "refused_lines" SET STORAGE EXTERNAL;

-- How far an import supplier's accounts were at some time: forecasts, and charts.
CREATE TABLE "progress_samples" (
    "import_supplier_code" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "staged" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "skipped" INTEGER NOT NULL,
    "completed" INTEGER NOT NULL,

    CONSTRAINT "progress_samples_pkey" PRIMARY KEY ("import_supplier_code","at")
);

-- CreateIndex
CREATE INDEX "bulk_jobs_import_supplier_code_creation_order_idx" ON "bulk_jobs"("import_supplier_code", "creation_order");
CREATE INDEX "bulk_jobs_unfinished_idx" ON "bulk_jobs"("import_supplier_code", "state")
    WHERE "state" IN ('OPEN', 'PLANNING', 'RUNNING', 'PAUSED', 'REHEARSED');
CREATE INDEX "bulk_chunks_job_id_run_first_line_idx" ON "bulk_chunks"("job_id", "run", "first_line");
CREATE INDEX "bulk_chunks_not_done_idx" ON "bulk_chunks"("job_id", "run", "number") WHERE NOT "done";

-- AddForeignKey
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_import_supplier_code_fkey" FOREIGN KEY ("import_supplier_code") REFERENCES "import_suppliers"("code") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_created_by_fkey" FOREIGN KEY ("created_by") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bulk_parts" ADD CONSTRAINT "bulk_parts_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "bulk_jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bulk_bodies" ADD CONSTRAINT "bulk_bodies_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "bulk_jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "bulk_chunks" ADD CONSTRAINT "bulk_chunks_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "bulk_jobs"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "progress_samples" ADD CONSTRAINT "progress_samples_import_supplier_code_fkey" FOREIGN KEY ("import_supplier_code") REFERENCES "import_suppliers"("code") ON DELETE RESTRICT ON UPDATE RESTRICT;

ALTER TABLE "bulk_jobs"
    ADD CONSTRAINT "bulk_jobs_state_check" CHECK (
        ("state" = 'PAUSED') = ("state_reason" IS NOT NULL)
        AND ("state" IN ('FINISHED', 'CANCELLED')) = ("finished_at" IS NOT NULL)
        AND ("state" = 'PAUSED') = ("paused_at" IS NOT NULL)),
    ADD CONSTRAINT "bulk_jobs_run_check" CHECK (
        "run" >= 0 AND ("run" = 0) = ("run_mode" IS NULL) AND ("run" = 0) = ("started_at" IS NULL)),
    ADD CONSTRAINT "bulk_jobs_lines_check" CHECK ("lines" >= 0);
ALTER TABLE "bulk_parts"
    ADD CONSTRAINT "bulk_parts_size_check" CHECK ("number" BETWEEN 1 AND 100000 AND "bytes" > 0 AND "lines" > 0 AND length("sha256") = 32);
ALTER TABLE "bulk_bodies"
    ADD CONSTRAINT "bulk_bodies_lines_check" CHECK ("lines" BETWEEN 1 AND "span" AND cardinality("account_ids") = "lines");
ALTER TABLE "bulk_chunks"
    ADD CONSTRAINT "bulk_chunks_lines_check" CHECK (
        "first_line" >= 1 AND "lines" >= 1 AND "cursor" BETWEEN 0 AND "lines" AND "attempts" >= 0
        AND "done" = ("finished_at" IS NOT NULL) AND (NOT "done" OR "cursor" = "lines")
        AND ("account_import_ids" IS NULL OR cardinality("account_import_ids") = "lines"));
