-- The key with which a job was last started or resumed: it works on behalf of that key, and only while it is valid. NULL
-- until then, and in jobs of the previous version: the key that created the job.
ALTER TABLE "bulk_jobs" ADD COLUMN "run_by" UUID;

-- AddForeignKey
ALTER TABLE "bulk_jobs" ADD CONSTRAINT "bulk_jobs_run_by_fkey" FOREIGN KEY ("run_by") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE CASCADE NOT VALID;
