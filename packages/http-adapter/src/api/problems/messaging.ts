import * as Messaging from "@parley/domain/messaging"
import { problem } from "../problem.ts"

export const WebhookSignatureInvalid = problem(Messaging.WebhookSignatureInvalid, 401, "The signature is not valid")
export const WebhookForbidden = problem(Messaging.WebhookForbidden, 403, "The verify token is wrong")
export const NotNoteAuthor = problem(Messaging.NotNoteAuthor, 403, "Only the author can change the note")
export const ChatAccountExists = problem(Messaging.ChatAccountExists, 409, "The number is already connected")
export const NumberConnectedElsewhere = problem(
  Messaging.NumberConnectedElsewhere,
  409,
  "Another organization has connected the number"
)
export const ChatNumberUnknown = problem(Messaging.ChatNumberUnknown, 422, "The chat provider does not know the number")
export const ChatTokenRefused = problem(Messaging.ChatTokenRefused, 422, "The chat provider rejected the access token")
export const ChatTokenUnsuitable = problem(Messaging.ChatTokenUnsuitable, 422, "The access token cannot be used")
export const OnboardingRefused = problem(Messaging.OnboardingRefused, 422, "The number is not ready for this step")
export const SignupCancelled = problem(Messaging.SignupCancelled, 422, "The signup was cancelled")
export const SignupCodeRefused = problem(Messaging.SignupCodeRefused, 422, "The chat provider rejected the code")
export const SignupNumberMissing = problem(Messaging.SignupNumberMissing, 422, "The signup has no number")
export const SignupInterrupted = problem(Messaging.SignupInterrupted, 503, "The signup was interrupted")
export const PlatformAppNotConfigured = problem(
  Messaging.PlatformAppNotConfigured,
  409,
  "The platform app is not configured"
)
export const UnsupportedByChannel = problem(Messaging.UnsupportedByChannel, 422, "The channel does not support this")
export const MessageTemplateExists = problem(
  Messaging.MessageTemplateExists,
  409,
  "The message template already exists"
)
export const MessageTemplateStatusInvalid = problem(
  Messaging.MessageTemplateStatusInvalid,
  409,
  "The status does not allow this",
  { status: "templateStatus" }
)
export const MessageTemplateEditLimited = problem(
  Messaging.MessageTemplateEditLimited,
  409,
  "The message template was edited too often"
)
export const ConversationExists = problem(Messaging.ConversationExists, 409, "The conversation already exists")
export const ConversationTransitionInvalid = problem(
  Messaging.ConversationTransitionInvalid,
  409,
  "The status change is not allowed"
)
export const ServiceWindowClosed = problem(Messaging.ServiceWindowClosed, 409, "The service window is closed")
export const ContactUnreachable = problem(Messaging.ContactUnreachable, 409, "The contact cannot receive messages")
export const RecipientReassigned = problem(
  Messaging.RecipientReassigned,
  409,
  "The recipient now belongs to another contact"
)
export const ChatAccountDisconnected = problem(
  Messaging.ChatAccountDisconnected,
  409,
  "The chat account is disconnected"
)
export const TemplateNotApproved = problem(Messaging.TemplateNotApproved, 409, "The message template is not approved", {
  status: "templateStatus"
})
export const MessageNotRetryable = problem(Messaging.MessageNotRetryable, 409, "The message cannot be retried", {
  status: "messageStatus"
})
export const OneTimeCodeErased = problem(Messaging.OneTimeCodeErased, 409, "The one-time code was deleted")
export const ProviderRefused = problem(Messaging.ChannelRefused, 422, "The chat provider rejected the request", {
  code: "providerCode"
})
export const MediaGone = problem(Messaging.MediaGone, 410, "The file no longer exists")
export const MediaUnavailable = problem(Messaging.MediaUnavailable, 502, "The file is temporarily unavailable")
export const ProviderUnreachable = problem(Messaging.ChannelUnreachable, 503, "The chat provider is not reachable")

export const messagingProblems = {
  WebhookSignatureInvalid,
  WebhookForbidden,
  NotNoteAuthor,
  ChatAccountExists,
  NumberConnectedElsewhere,
  ChatNumberUnknown,
  ChatTokenRefused,
  ChatTokenUnsuitable,
  OnboardingRefused,
  SignupCancelled,
  SignupCodeRefused,
  SignupNumberMissing,
  SignupInterrupted,
  PlatformAppNotConfigured,
  UnsupportedByChannel,
  MessageTemplateExists,
  MessageTemplateStatusInvalid,
  MessageTemplateEditLimited,
  ConversationExists,
  ConversationTransitionInvalid,
  ServiceWindowClosed,
  ContactUnreachable,
  RecipientReassigned,
  ChatAccountDisconnected,
  TemplateNotApproved,
  MessageNotRetryable,
  OneTimeCodeErased,
  ChannelRefused: ProviderRefused,
  MediaGone,
  MediaUnavailable,
  ChannelUnreachable: ProviderUnreachable
}
