/** Descriptions of names with one meaning in the whole API. A name with several meanings is described per schema. */
export const commonFields: Readonly<Record<string, string>> = {
  id: "Id of this resource.",
  organizationId: "Id of the organization.",
  createdAt: "Time of creation in UTC.",
  updatedAt: "Time of the last change in UTC.",
  version: "Version of the resource, increased by each change; send it in `If-Match` to prevent lost updates.",
  nextCursor: "Cursor of the next page; null on the last page.",
  contactId: "Id of the contact.",
  conversationId: "Id of the conversation.",
  messageId: "Id of the message.",
  chatAccountId: "Id of the chat account.",
  storeConnectionId: "Id of the store connection.",
  orderId: "Id of the order.",
  productId: "Id of the product.",
  cartId: "Id of the cart.",
  storeCustomerId: "Id of the customer of the store.",
  broadcastId: "Id of the broadcast.",
  automationId: "Id of the automation.",
  workflowId: "Id of the workflow.",
  runId: "Id of the run.",
  pluginId: "Id of the plugin.",
  webhookSubscriptionId: "Id of the webhook subscription.",
  jobId: "Id of the job; read its progress at `GET /jobs/{jobId}`.",
  memberId: "Id of the membership.",
  userId: "Id of the user.",
  messageTemplateId: "Id of the message template.",
  templateId: "Id of the message template.",
  mediaId: "Id of a file in the media library.",
  tagId: "Id of the tag.",
  tagIds: "Ids of the tags.",
  segmentId: "Id of the segment.",
  scheduleId: "Id of the schedule.",
  contactFieldId: "Id of the contact field.",
  cannedReplyId: "Id of the canned reply.",
  noteId: "Id of the note.",
  automationTokenId: "Id of the automation token.",
  privacyRequestId: "Id of the privacy request.",
  mergeId: "Id of the merge.",
  createdBy: "Id of the user who created it; null if an operator or a program did.",
  timezone: "Time zone as an IANA name, for example `Europe/Berlin`.",
  locale: "Language and region as a BCP 47 tag, for example `de-CH`.",
  currency: "Currency as an ISO 4217 code, for example `EUR`.",
  country: "Country as an ISO 3166-1 code of two letters, for example `DE`."
}

/** Descriptions of the fields that every problem has. */
export const problemFields: Readonly<Record<string, string>> = {
  type: "Path of the description of this error.",
  title: "Short name of the error, the same for every occurrence.",
  status: "HTTP status of the answer.",
  detail: "Explanation of this occurrence for people.",
  code: "Code of the error for programs.",
  requestId: "Id of the request as in `X-Request-Id`; null if the request had none.",
  pointer: "JSON pointer to the value that caused the error."
}

/** Descriptions of the fields that the answer of every list has. */
export const pageFields: Readonly<Record<string, string>> = { data: "Results of this page, in the order of the list." }

/** Descriptions of the fields that every event has. */
export const eventFields: Readonly<Record<string, string>> = {
  type: "Type of the event.",
  data: "Facts of the event, without contact data that the subscription must not receive."
}
