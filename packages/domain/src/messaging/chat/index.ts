export { statusAfter } from "./accountHealth.ts"
export { isAboutAccount, markAccount, type Refusal } from "./accountStatus.ts"
export * from "./ChatAccount.ts"
export * from "./ChatAccounts.ts"
export {
  type Accepted,
  channelFor,
  type ChatChannel,
  ChatChannels,
  chatSource,
  type DeliveryPart,
  type DeliveryReading,
  type DeliveryRequest,
  type DownloadedFile,
  type EndpointPolicy,
  type Handshake,
  layerChatChannels,
  type MediaTransfer,
  type MessageSending,
  type UploadedFile
} from "./ChatChannels.ts"
export { ChatSettings, type PlatformAppSettings } from "./ChatSettings.ts"
export * from "./DailyReach.ts"
export * from "./errors.ts"
export { ChatEvent } from "./events.ts"
export * from "./Inbound.ts"
export * from "./Line.ts"
export * from "./MessageTemplate.ts"
export { type MessageTemplateQuery, MessageTemplates } from "./MessageTemplates.ts"
export { chatWorks } from "./module.ts"
export * from "./Outgoing.ts"
export * from "./providerUpdates.ts"
export { OpenedSecrets } from "./secrets.ts"
export type { ProviderTemplate, TemplateApproval, TemplatePart, TemplateSubmission } from "./TemplateApproval.ts"
export * from "./templates/templateFaults.ts"
export * from "./templates/templateFilling.ts"
export * from "./templates/templateRefreshing.ts"
export { previewOf, variablesOf } from "./templates/templateVariables.ts"
export * from "./use-cases/chatAccountConnecting.ts"
export * from "./use-cases/chatAccounts.ts"
export * from "./use-cases/chatAccountUpdates.ts"
export * from "./use-cases/messageTemplates.ts"
export * from "./use-cases/templateApproval.ts"
export * from "./use-cases/webhooks.ts"
