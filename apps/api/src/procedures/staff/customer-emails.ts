import {
  AddEmailSuppressionRequest,
  CountUnsettledEmailsRequest,
  CountUnsettledEmailsResponse,
  CustomerEmail,
  EmailPreview,
  EmailSuppression,
  EmailTemplate,
  GetEmailTemplateRequest,
  ListCustomerEmailsRequest,
  ListCustomerEmailsResponse,
  ListEmailSuppressionsRequest,
  ListEmailSuppressionsResponse,
  ListEmailTemplatesRequest,
  ListEmailTemplatesResponse,
  ListSupplierEmailsRequest,
  ListSupplierEmailsResponse,
  PreviewEmailTemplateRequest,
  RemoveEmailSuppressionRequest,
  SendEmailAgainRequest,
  SetEmailTemplateRequest,
} from '@causeway/contracts';
import * as domain from '@causeway/domain';
import { staffProcedure } from '../procedure.ts';

/** E-mails to customers (behaviour 29.6). */
export const customerEmails = {
  /** The e-mails of an account, or why it has none (behaviour 29.6). */
  list: staffProcedure
    .input(ListCustomerEmailsRequest)
    .output(ListCustomerEmailsResponse)
    .query(({ ctx, input }) => domain.listCustomerEmails(ctx, input)),

  /** E-mails of an import supplier: in one state, or those that somebody has to look at (behaviour 29.6). */
  listOfSupplier: staffProcedure
    .input(ListSupplierEmailsRequest)
    .output(ListSupplierEmailsResponse)
    .query(({ ctx, input }) => domain.listSupplierEmails(ctx, input)),

  /** How many e-mails somebody has to look at (behaviour 29.6). */
  countUnsettled: staffProcedure
    .input(CountUnsettledEmailsRequest)
    .output(CountUnsettledEmailsResponse)
    .query(({ ctx, input }) => domain.countUnsettledEmails(ctx, input)),

  /** Sends an e-mail again (behaviour 29.6). */
  sendAgain: staffProcedure
    .input(SendEmailAgainRequest)
    .output(CustomerEmail)
    .mutation(({ ctx, input }) => domain.sendEmailAgain(ctx, input)),
};

/** Their templates (behaviour 29.4). */
export const emailTemplates = {
  /** Sets the template of a language, as its next version (behaviour 29.4). */
  set: staffProcedure
    .input(SetEmailTemplateRequest)
    .output(EmailTemplate)
    .mutation(({ ctx, input }) => domain.setEmailTemplate(ctx, input)),

  /** The template that an account gets, or one version (behaviour 29.4). */
  get: staffProcedure
    .input(GetEmailTemplateRequest)
    .output(EmailTemplate)
    .query(({ ctx, input }) => domain.getEmailTemplate(ctx, input)),

  /** The versions of all templates (behaviour 29.4). */
  list: staffProcedure
    .input(ListEmailTemplatesRequest)
    .output(ListEmailTemplatesResponse)
    .query(({ ctx, input }) => domain.listEmailTemplates(ctx, input)),

  /** What an invented customer would get (behaviour 29.4): a mutation, because its texts are too long for a URL. */
  preview: staffProcedure
    .input(PreviewEmailTemplateRequest)
    .output(EmailPreview)
    .mutation(({ ctx, input }) => domain.previewEmailTemplate(ctx, input)),
};

/** The addresses that get none (behaviour 29.5). */
export const emailSuppressions = {
  /** The addresses that get no e-mail (behaviour 29.5). */
  list: staffProcedure
    .input(ListEmailSuppressionsRequest)
    .output(ListEmailSuppressionsResponse)
    .query(({ ctx, input }) => domain.listEmailSuppressions(ctx, input)),

  /** Adds an address that gets no e-mail (behaviour 29.5). */
  add: staffProcedure
    .input(AddEmailSuppressionRequest)
    .output(EmailSuppression)
    .mutation(({ ctx, input }) => domain.addEmailSuppression(ctx, input)),

  /** Removes an entry of the suppression list (behaviour 29.5). */
  remove: staffProcedure
    .input(RemoveEmailSuppressionRequest)
    .mutation(({ ctx, input }) => domain.removeEmailSuppression(ctx, input)),
};
