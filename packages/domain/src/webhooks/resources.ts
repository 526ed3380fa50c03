import type { Schema } from "effect"
import { BroadcastId, Broadcast, BroadcastSettings, getBroadcast, getBroadcastSettings } from "../campaigns/index.ts"
import {
  ChatAccountId,
  ChatAccountView,
  getChatAccount,
  getMessageTemplate,
  MessageTemplate,
  MessageTemplateId
} from "../chat/index.ts"
import {
  ContactId,
  ExpandedContact,
  getContact,
  getSegment,
  getTag,
  Segment,
  SegmentId,
  Tag,
  TagId
} from "../crm/index.ts"
import { getOrganization, Organization } from "../identity/index.ts"
import {
  ConversationId,
  ExpandedConversation,
  getConversation,
  getMessage,
  Message,
  MessageId
} from "../inbox/index.ts"
import { getJob, Job, JobId } from "../jobs/index.ts"
import type { EventShape } from "../kernel/index.ts"
import {
  Cart,
  CartId,
  getCart,
  getOrder,
  getPrivacyRequest,
  getStoreConnection,
  getStoreCustomer,
  Order,
  OrderId,
  PrivacyRequest,
  PrivacyRequestId,
  StoreConnectionId,
  StoreConnectionView,
  StoreCustomer,
  StoreCustomerId
} from "../stores/index.ts"
import { eventResource, idIn } from "./EventResources.ts"
import { WebhookSubscriptionId } from "./Ids.ts"
import { getWebhookSubscription } from "./use-cases/getWebhookSubscription.ts"
import { WebhookSubscription } from "./WebhookSubscription.ts"

const by =
  <Id>(field: string, kind: Schema.Codec<Id, unknown>) =>
  (event: EventShape): [Id] | null => {
    const id = idIn(event, field, kind)
    return id === null ? null : [id]
  }

const byMessage = (event: EventShape): [ConversationId, MessageId] | null => {
  const [conversationId, messageId] = [
    idIn(event, "conversationId", ConversationId),
    idIn(event, "messageId", MessageId)
  ]
  return conversationId === null || messageId === null ? null : [conversationId, messageId]
}

/** Who reads may name what is to be expanded besides: nothing is. */
const contacts = (event: EventShape): [id: ContactId] | null => by("contactId", ContactId)(event)

const conversations = (event: EventShape): [id: ConversationId] | null => by("conversationId", ConversationId)(event)

/** What the events of this area and of those below it are about, as GET answers it. */
export const eventResources = [
  eventResource("broadcast", getBroadcast, Broadcast, by("broadcastId", BroadcastId)),
  eventResource("broadcast_settings", getBroadcastSettings, BroadcastSettings, (): [] => []),
  eventResource("cart", getCart, Cart, by("cartId", CartId)),
  eventResource("chat_account", getChatAccount, ChatAccountView, by("chatAccountId", ChatAccountId)),
  eventResource("contact", getContact, ExpandedContact, contacts),
  eventResource("conversation", getConversation, ExpandedConversation, conversations),
  eventResource("customer", getStoreCustomer, StoreCustomer, by("storeCustomerId", StoreCustomerId)),
  eventResource("job", getJob, Job, by("jobId", JobId)),
  eventResource("message", getMessage, Message, byMessage),
  eventResource("message_template", getMessageTemplate, MessageTemplate, by("messageTemplateId", MessageTemplateId)),
  eventResource("order", getOrder, Order, by("orderId", OrderId)),
  eventResource("organization", getOrganization, Organization, (): [] => []),
  eventResource("privacy_request", getPrivacyRequest, PrivacyRequest, by("privacyRequestId", PrivacyRequestId)),
  eventResource("segment", getSegment, Segment, by("segmentId", SegmentId)),
  eventResource(
    "store_connection",
    getStoreConnection,
    StoreConnectionView,
    by("storeConnectionId", StoreConnectionId)
  ),
  eventResource("tag", getTag, Tag, by("tagId", TagId)),
  eventResource(
    "webhook_subscription",
    getWebhookSubscription,
    WebhookSubscription,
    by("webhookSubscriptionId", WebhookSubscriptionId)
  )
] as const
