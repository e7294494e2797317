-- Why an e-mail was sent with the service's own text, although its supplier has a template (behaviour 29.4).
ALTER TABLE "customer_emails" ADD COLUMN "template_failure" TEXT;
ALTER TABLE "customer_emails"
    ADD CONSTRAINT "customer_emails_template_failure_check" CHECK ("template_failure" IN ('CANNOT_BE_RENDERED', 'TAKES_TOO_LONG')) NOT VALID;
