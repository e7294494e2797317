-- AlterTable
ALTER TABLE "operations_teams" ADD COLUMN     "organisation_id" UUID;

-- AddForeignKey
ALTER TABLE "operations_teams" ADD CONSTRAINT "operations_teams_organisation_id_fkey" FOREIGN KEY ("organisation_id") REFERENCES "organisations"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
