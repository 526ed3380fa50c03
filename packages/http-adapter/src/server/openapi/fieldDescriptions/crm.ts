import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `crm`, by component, operation or event, and path. */
export const crmFields: FieldDescriptions = {
  "contact.consent_changed": {
    "data.purpose": "Purpose of the consent, always `marketing`.",
    "data.from": "Consent before the change.",
    "data.to": "Consent after the change.",
    "data.through": "`import` or `merge`: the change comes from an import or a merge; absent for other changes."
  },
  "contact.created": { "data.imported": "True for contacts from the first import of a store; otherwise absent." },
  "contact.deleted": { "data.erased": "Whether the personal data was erased, too." },
  "contact.duplicate_dismissed": { "data.otherId": "Id of the other contact." },
  "contact.duplicate_found": {
    "data.otherId": "Id of the other contact.",
    "data.source": "Origin of the evidence: the chat provider (`chat`) or a row of a file (`import`)."
  },
  "contact.merged": { "data.mergedId": "Id of the contact that became part of this one." },
  "contact.unmerged": { "data.restoredId": "Id of the restored contact." },
  "contact.updated": {
    "data.fields": "Names of the changed fields, for example `phone` or `attributes`.",
    "data.attributes": "Keys of the changed contact fields; absent for none.",
    "data.imported": "True for changes by the first import of a store; otherwise absent."
  },
  "contacts.changed": {
    "data.action": "Change of the contacts.",
    "data.changed": "Number of changed contacts.",
    "data.unsubscribed": "Number of contacts whose consent became `unsubscribed`; absent if 0.",
    "data.jobId": "Id of the job; null if no job made the change."
  },
  "contacts.imported": {
    "data.created": "Number of rows that created a contact.",
    "data.updated": "Number of rows that changed a contact."
  },
  "tag.merged": { "data.into": "Id of the tag that replaces this tag." },
  ColumnTarget: {
    column: "Name of the column in the file.",
    target: "Field of the contact that the column fills, `attribute.` and the key of a contact field, or `ignore`."
  },
  Consent: {
    marketing: "Consent to marketing: `subscribed` or `unsubscribed` as declared; `unknown` without a declaration.",
    source: "Origin of the declaration, for example `checkout form`; null without a declaration.",
    changedAt: "Time of the declaration in UTC; null without a declaration."
  },
  ConsentChange: {
    purpose: "Purpose of the consent, always `marketing`.",
    state: "Consent after the change.",
    source: "Origin of the declaration, for example `checkout form`.",
    evidence: "Proof of the declaration; null without one.",
    actor: "User, automation token or other actor that made the change.",
    at: "Time of the change in UTC."
  },
  Contact: {
    name: "Name of the contact; null if unknown.",
    phone: "Preferred phone number in E.164, for example `+491701234567`; null without one.",
    email: "Preferred email address; null without one.",
    username: "Latest username at the chat provider, without a leading `@`; null if unknown.",
    identities: "Phone numbers, email addresses and ids in other systems that identify the contact.",
    locale: "Language and region of the contact as a BCP 47 tag, for example `de-CH`; null if unknown.",
    timezone: "Time zone of the contact as an IANA name, for example `Europe/Berlin`; null if unknown.",
    attributes: "Values of the contact fields by key; fields without a value are absent.",
    tags: "Ids of the tags of the contact.",
    consent: "Current consent to marketing.",
    blockedAt: "Time when the contact was blocked, in UTC; null if the contact is not blocked.",
    lastSeenAt: "Time of the latest activity of the contact in the chat, in UTC; null before the first one.",
    lastInboundAt: "Time of the latest message of the contact in UTC; null before the first one."
  },
  NewContact: {
    name: "Name of the contact. Required without an identity. Default: null.",
    phone: "Preferred phone number with its country code, in any spelling. Default: null.",
    email: "Preferred email address, in any case. Default: null.",
    identities: "Ids of the contact in other systems, at most 20. Default: none.",
    locale: "Language and region of the contact as a BCP 47 tag, for example `de-CH`. Default: null.",
    timezone: "Time zone of the contact as an IANA name, for example `Europe/Berlin`. Default: null.",
    attributes: "Values of contact fields by key. Default: none.",
    tags: "Ids of the tags of the contact, at most 50. Default: none.",
    marketing: "Consent to marketing. Default: unknown."
  },
  ContactPatch: {
    name: "Name of the contact; null clears it.",
    phone: "Preferred phone number with its country code, in any spelling; null removes it.",
    email: "Preferred email address, in any case; null removes it.",
    addIdentities: "Identities to add, at most 20.",
    "addIdentities.kind": "Kind of the identity.",
    removeIdentities: "Identities to remove, at most 20.",
    "removeIdentities.kind": "Kind of the identity.",
    locale: "Language and region of the contact as a BCP 47 tag, for example `de-CH`; null clears it.",
    timezone: "Time zone of the contact as an IANA name, for example `Europe/Berlin`; null clears it.",
    attributes: "Values of contact fields by key; null clears a value, and absent fields stay unchanged.",
    marketing: "New consent to marketing.",
    blocked: "`true` blocks the contact, `false` unblocks the contact."
  },
  ContactByPhone: {
    name: "Name of the contact; null clears it, and an absent name stays unchanged.",
    email: "Preferred email address, in any case; null removes it, and an absent one stays unchanged.",
    locale: "Language and region of the contact as a BCP 47 tag; null clears it, and an absent one stays unchanged.",
    timezone: "Time zone of the contact as an IANA name; null clears it, and an absent one stays unchanged.",
    attributes: "Values of contact fields by key; null clears a value, and absent fields stay unchanged.",
    marketing: "Consent to marketing; an absent one stays unchanged."
  },
  ContactCommerce: {
    customers: "Customers of stores that are linked to the contact, at most 20.",
    lifetime: "Totals of the counted orders by currency.",
    orders: "Latest orders by placement, newest first; at most the number in the parameter `orders`.",
    carts: "Active and abandoned carts with the latest activity, newest first; at most 5.",
    stores: "Stores of these records, with the age of their data."
  },
  ContactCount: { count: "Number of matching contacts." },
  ContactExistsProblem: {
    contactId: "Id of the contact that has the identity.",
    kind: "Kind of the identity that another contact has."
  },
  ContactExport: {
    contact: "The contact with its current data.",
    tags: "Tags of the contact.",
    consents: "Changes of the consent, newest first.",
    timeline: "Timeline of the contact, newest first.",
    conversations: "Conversations with the contact; empty without `conversations.read`.",
    messages: "Messages of the conversations; empty without `conversations.read`.",
    notes: "Notes of the team in the conversations; empty without `conversations.read`.",
    media: "Files of the messages with the `url` of their bytes; empty without `conversations.read`.",
    storeCustomers: "Customers of stores that are linked to the contact; empty without `commerce.read`.",
    orders: "Orders of the contact; empty without `commerce.read`.",
    carts: "Carts of the contact; empty without `commerce.read`.",
    broadcasts: "Broadcasts with the contact as recipient; empty without `broadcasts.read`.",
    automationRuns: "Runs of automations for the contact; empty without `automations.read`.",
    workflowRuns: "Runs of workflows for the contact; empty without `workflows.read`.",
    duplicates: "Possible duplicates of the contact.",
    merges: "Merges into the contact that were not undone.",
    audit: "Audit entries about the contact and its merged contacts, newest first.",
    complete: "False if a list has more than 10,000 entries, or if the caller cannot read a list."
  },
  ContactField: {
    key: "Key of the field in attributes, filters and imports; it never changes.",
    name: "Name of the field for people.",
    type: "Type of the values; it never changes, and `enum` allows the `choices` only.",
    choices: "Allowed values of an `enum`, 1 to 100; null for other types.",
    status: "`deleting` while a job removes the values of the field, before the field; otherwise `active`."
  },
  NewContactField: { choices: "Allowed values, 1 to 100; only for the type `enum`, which requires them." },
  ContactIdentity: {
    kind: "Kind of the identity; `external` is an id in another system.",
    value: "Normalized value, for example a phone number in E.164.",
    source: "Origin of the identity: a call (`api`), a file (`import`), the chat provider or a store.",
    addedAt: "Time of the addition in UTC.",
    formerSince:
      "Start of the use by another person in UTC, as reported by the chat provider; such an identity gets no messages."
  },
  ContactImport: {
    state: "State of the job of the import; `succeeded`, `failed` and `cancelled` are final.",
    format: "Format of the file.",
    dryRun: "Whether the import writes nothing; its counts and bad rows equal those of a real import.",
    onExisting: "Whether rows `update` or `skip` existing contacts.",
    createTags: "Whether missing tags are created; otherwise their rows are bad.",
    country: "Country of phone numbers without a country code, as a code of two letters; null if not given.",
    tags: "Ids of the tags that every contact of the file gets.",
    mapping: "Columns with their targets, as given or by name.",
    progress: "Read bytes and size of the file.",
    counts: "Numbers of rows so far.",
    error: "Reason of the failure for people; null if the import did not fail.",
    createdBy: "User, automation token or other actor that requested the import.",
    finishedAt: "Time of the end in UTC; null before the end."
  },
  ContactMerge: {
    survivorId: "Id of the remaining contact.",
    before: "The remaining contact before the merge.",
    merged: "The other contact before the merge.",
    actor: "User, automation token or other actor that made the merge.",
    at: "Time of the merge in UTC.",
    undoneAt: "Time of the undoing in UTC; null while the merge is in effect."
  },
  ContactOptedOutProblem: { optedOutAt: "Time of the opt-out in UTC; null if unknown." },
  ContactUnreachableProblem: {
    reason:
      "`blocked`: the contact is blocked. `no_identity`: no phone number or chat user id. `recipient_removed`: the contact no longer has the identity of the recipient."
  },
  Duplicate: {
    contact: "The other contact.",
    source: "Origin of the evidence: the chat provider (`chat`) or a row of a file (`import`).",
    "identity.kind": "Kind of the identity.",
    "identity.value": "Normalized value of the identity.",
    "otherIdentity.kind": "Kind of the identity.",
    "otherIdentity.value": "Normalized value of the identity.",
    foundAt: "Time of the discovery in UTC."
  },
  FilterFieldDescription: {
    "operators.op": "Value of `op` in a condition.",
    "operators.value": "Value that the operator takes: `none`, `one` value, a `list` of values, or a number of `days`."
  },
  ImportColumn: {
    name: "Name of the column.",
    field: "Target of the column; null without a target."
  },
  Merged: { contact: "The remaining contact after the merge." },
  NewConsent: { state: "Declared consent to marketing." },
  PrivacyExport: {
    privacyRequest: "The privacy request.",
    customers: "Customers of the shop that the request is about.",
    contact: "Data of the contact; null if the person is no contact.",
    complete:
      "False if the person has more than 10,000 orders in the shop, or if the data of the contact is incomplete."
  },
  PrivacyRequest: {
    kind: "Request for the data of a customer, the erasure of a customer, or the erasure of the whole shop.",
    contactId: "Id of the contact that the customer is; null if none is known, and for erasures.",
    state: "`open`, `ready` for the export, `done`, or `ignored` because the shop was connected again.",
    receivedAt: "Time of the request in UTC.",
    dueAt: "Legal deadline in UTC, 30 days after the request.",
    doneAt: "Time of the end in UTC; null before the end.",
    reason: "Reason why nothing was done; null unless the state is `ignored`.",
    counts: "Numbers of found or erased records, by name."
  },
  PrivacyRequestStatusInvalidProblem: { requestState: "Current state of the privacy request." },
  Segment: {
    name: "Name of the segment, unique regardless of case.",
    filter: "Filter that selects the contacts of the segment."
  },
  SegmentInUseProblem: { segmentIds: "Ids of segments whose filters use this segment, at most 10." },
  Tag: {
    name: "Name of the tag, unique regardless of case.",
    color: "Color of the tag as RGB, for example `#1f6feb`.",
    contactCount: "Number of contacts with the tag."
  },
  NewTag: { color: "Color of the tag as RGB, for example `#1f6feb`. Default: `#8b949e`." },
  TagsToAdd: { tags: "Ids of the tags to add, 1 to 50." },
  TimelineEntry: {
    kind: "Kind of the entry, which decides its other fields.",
    at: "Time of the entry in UTC: of a message its writing, of an order its placement, of a cart its last activity.",
    actor: "User, automation token or other actor of the entry.",
    contactId: "Id of the other contact of the merge.",
    purpose: "Purpose of the consent, always `marketing`.",
    state: "Of a consent, the state after the change; of a cart, the current state.",
    source: "Origin of the declaration.",
    evidence: "Proof of the declaration; null without one.",
    direction: "`inbound` for messages of the contact, `outbound` for messages to the contact.",
    messageKind: "Kind of the message.",
    text: "Text of the message or note, or the caption of a file; null without text.",
    status: "Current status of the message.",
    author: "Author of the message.",
    editedAt: "Time of the last edit of the note in UTC; null without an edit.",
    name: "Name of the order at the shop, for example `#1001`.",
    total: "Of an order, the total at its placement; of a cart, its current total.",
    paymentStatus: "Current payment status of the order.",
    fulfilmentStatus: "Current fulfillment status of the order.",
    cancelledAt: "Time of the cancellation of the order in UTC; null if it was not cancelled.",
    amount: "Refunded amount."
  },
  Unmerged: {
    contact: "The contact that stays after the undoing.",
    restored: "The restored contact."
  },
  ImportCounts: {
    rows: "Number of rows so far.",
    created: "Number of created contacts.",
    updated: "Number of changed contacts.",
    unchanged: "Number of rows that changed nothing.",
    bad: "Number of rows with errors."
  }
}
