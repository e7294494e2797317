-- Payments are taken on any day of a month. On its last one is said in the details: that is no number.
ALTER TABLE "payment_schedules"
    DROP CONSTRAINT "payment_schedules_values_check",
    ADD CONSTRAINT "payment_schedules_values_check"
        CHECK ("day_of_month" BETWEEN 1 AND 31 AND "amount" >= 0 AND "amount" <> 'NaN') NOT VALID;
