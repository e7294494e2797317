-- Of a statement only its id and its period are known for sure; an older system may have kept neither the day on which it
-- was issued, nor its number, nor its total.
ALTER TABLE "statements"
    ALTER COLUMN "issued_date" DROP NOT NULL,
    ALTER COLUMN "number" DROP NOT NULL,
    ALTER COLUMN "gross_amount" DROP NOT NULL;
