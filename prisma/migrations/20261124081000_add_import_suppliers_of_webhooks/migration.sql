-- Whose events are sent to an endpoint; none means all. Many events of one import supplier delay those of another at an
-- endpoint of both.
ALTER TABLE "webhook_endpoints" ADD COLUMN "import_suppliers" TEXT[] NOT NULL DEFAULT '{}';
