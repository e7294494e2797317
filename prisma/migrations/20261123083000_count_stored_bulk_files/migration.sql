-- The compressed results and failed rows of the chunks of a fold: they count towards the storage of bulk jobs.
ALTER TABLE "bulk_folds" ADD COLUMN "stored_bytes" BIGINT NOT NULL DEFAULT 0;
