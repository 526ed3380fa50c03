export { statusAfterRefusal } from "./accountHealth.ts"
export { isAboutAccount, updateAccountStatus, type ProviderRefusal } from "./accountStatus.ts"
export * from "./ChatAccount.ts"
export * from "./ChatAccounts.ts"
export {
  type AcceptedMessage,
  type ResolvedRecipient,
  channelFor,
  type ChatChannel,
  ChatChannels,
  chatSource,
  type DeliveryPart,
  type DeliveryParser,
  type DeliveryRequest,
  type DownloadedFile,
  type EndpointPolicy,
  type Handshake,
  layerChatChannels,
  type MediaTransfer,
  type MessageSender,
  type PairLimit,
  type UploadedFile
} from "./ChatChannels.ts"
export { ChatSettings, type PlatformAppSettings } from "./ChatSettings.ts"
export * from "./DailyRecipients.ts"
export * from "./errors.ts"
export { ChatEvent } from "./events.ts"
export * from "./Inbound.ts"
export * from "./InboundContent.ts"
export * from "./ProviderConnection.ts"
export * from "./MessageTemplate.ts"
export { type MessageTemplateQuery, MessageTemplates } from "./MessageTemplates.ts"
export { chatTasks } from "./module.ts"
export * from "./Outgoing.ts"
export * from "./SharedContact.ts"
export * from "./interactive/Interactive.ts"
export { makeRateFinder, type RateQuery } from "./pricing/effectiveRate.ts"
export { parseFineAmount, readRateCard } from "./pricing/rateCardFile.ts"
export * from "./pricing/RateCards.ts"
export { NewRates } from "./pricing/rateInput.ts"
export * from "./providerUpdates.ts"
export { refreshNumbers } from "./numberRefresh.ts"
export { restoreUnrestrictedAccounts } from "./restrictions.ts"
export { OpenedSecretCache } from "./secrets.ts"
export type {
  AuthenticationUpsert,
  LibrarySubmission,
  ProviderTemplate,
  SampleFile,
  SampleHandles,
  SubmittedTemplate,
  TemplateApproval,
  TemplateEdit,
  TemplateSubmission,
  UpsertedTemplate
} from "./TemplateApproval.ts"
export * from "./templates/templateValidation.ts"
export * from "./templates/templateFilling.ts"
export * from "./templates/templateSyncTask.ts"
export * from "./onboarding/NumberDetails.ts"
export * from "./onboarding/NumberVerification.ts"
export * from "./onboarding/OnboardingState.ts"
export type { CallbackChoice } from "./onboarding/subscription.ts"
export * from "./onboarding/SignupSession.ts"
export {
  OnboardingChecklist,
  OnboardingStep,
  OnboardingStepName,
  OnboardingStepState,
  toOnboardingChecklist
} from "./onboarding/checklist.ts"
export * from "./onboarding/errors.ts"
export { recordFirstDeliveries } from "./onboarding/webhookSeen.ts"
export { createPin, RegistrationPin } from "./onboarding/pin.ts"
export * from "./templates/FilledTemplate.ts"
export * from "./templates/AuthenticationTemplates.ts"
export * from "./templates/LibraryTemplate.ts"
export * from "./templates/templateSamples.ts"
export { templateValueIssue } from "./templates/templateValues.ts"
export { exampleValues } from "./templates/exampleValues.ts"
export { rejectionReasons } from "./templates/rejectionAdvice.ts"
export { TemplatePreview, toTemplatePreview } from "./templates/templatePreview.ts"
export {
  fileKindOf,
  isConstantKind,
  findPlaceholders,
  findTemplateVariables,
  isNamedStyle
} from "./templates/templateVariables.ts"
export * from "./use-cases/authenticationTemplates.ts"
export * from "./use-cases/chatAccountConnecting.ts"
export * from "./use-cases/chatAccountOnboarding.ts"
export * from "./use-cases/numberVerification.ts"
export * from "./use-cases/platformSignup.ts"
export * from "./use-cases/chatAccounts.ts"
export * from "./use-cases/chatAccountUpdates.ts"
export * from "./use-cases/messageTemplates.ts"
export * from "./use-cases/rateCards.ts"
export * from "./use-cases/templateApproval.ts"
export * from "./use-cases/templateChanges.ts"
export * from "./use-cases/templateContentPreview.ts"
export * from "./use-cases/templateLibrary.ts"
export * from "./use-cases/templateUse.ts"
export * from "./use-cases/webhooks.ts"
