import { nextId, Outbox, type PluginId, transact, Uuid } from "@parley/domain/kernel"
import { Members, type MemberId, recordAudit } from "@parley/domain/platform"
import {
  ContactFields,
  type ContactFieldId,
  ContactHistory,
  type ContactId,
  Contacts,
  type SegmentId,
  Segments,
  type TagId,
  Tags
} from "@parley/domain/crm"
import {
  CannedReplies,
  type CannedReplyId,
  type ChatAccountId,
  Conversations,
  type MessageTemplateId,
  MessageTemplates,
  type NoteId,
  Notes,
  removeChatAccount
} from "@parley/domain/messaging"
import {
  allWebhookSubscriptions,
  Plugins,
  subscriptionOf,
  type WebhookSubscriptionId,
  WebhookSubscriptions
} from "@parley/domain/integrations"
import { Broadcast, type BroadcastId, Broadcasts, RecipientLedger } from "@parley/domain/campaigns"
import { SkippedRecord, SkippedRecords, type StoreConnectionId, StoreConnections } from "@parley/domain/commerce"
import {
  allAutomations,
  allWorkflows,
  Automations,
  type AutomationId,
  type ScheduleId,
  type WorkflowId,
  Workflows,
  WorkflowVersion,
  WeeklySchedules
} from "@parley/domain/automation"
import type { Ports } from "@parley/domain/composition"
import {
  givenActiveWorkflow,
  givenAutomationRun,
  givenWorkflowRun,
  givenCommerce,
  givenPluginCall,
  givenPrivacyRequest,
  givenStore,
  givenWebhookDelivery,
  putPlugin,
  putSubscription
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { givenBroadcast } from "./campaigns.ts"
import { type Endpoint, endpoints, reachable } from "./contract.ts"
import { givenConversation, givenMessage, givenNoteOf, givenNumber, givenReply, givenTemplate } from "./inbox.ts"
import {
  freshId,
  givenAutomation,
  givenAutomationToken,
  givenContact,
  givenContactField,
  givenDuplicate,
  givenInvitation,
  givenJob,
  givenPerson,
  givenSchedule,
  givenSegment,
  givenTag,
  givenWorkflow,
  inside,
  type Tenant
} from "./tenants.ts"

/** A list of the contract, and how a test fills it. */
export interface ListUnderTest {
  readonly endpoint: Endpoint
  /** The parameter that continues after a page. */
  readonly cursor: "cursor" | "after"
  /** Path of the list for this tenant. */
  readonly path: (tenant: Tenant) => Effect.Effect<string, never, Ports>
  /** Adds a row. */
  readonly add: (tenant: Tenant) => Effect.Effect<unknown, never, Ports>
  /** Takes a row away, where rows can go. */
  readonly remove?: (tenant: Tenant, id: string) => Effect.Effect<void, never, Ports>
}

const isPage = ({ contract }: Endpoint) =>
  Array.from(contract.success).some(
    (success) =>
      "ast" in success &&
      Array.from(reachable(success.ast)).some(
        (node) =>
          "propertySignatures" in node &&
          Array.isArray(node.propertySignatures) &&
          node.propertySignatures.some(({ name }: { readonly name: PropertyKey }) => name === "nextCursor")
      )
  )

/** Every endpoint that answers a page of an organization. Lists of the installation are in the suite for operators, because no test has them alone. */
export const pages = endpoints.filter((endpoint) => isPage(endpoint) && endpoint.admission !== "operator")

/** The contact of the tenant for the timeline. */
const lived = Effect.fnUntraced(function* ({ organization }: Tenant) {
  const known = { kind: "external", value: "timeline" } as const
  const [found] = yield* (yield* Contacts).findByIdentity([known]).pipe(inside(organization))
  if (found !== undefined) return found
  const addedAt = yield* DateTime.now
  return yield* givenContact(organization, { identities: [{ ...known, source: "api", addedAt }] })
})

/** The conversation of the tenant for messages and notes. */
/** The store with skipped records. */
const connected = Effect.fnUntraced(function* ({ organization }: Tenant) {
  const [known] = yield* (yield* StoreConnections).list(null, { limit: 1, after: null }).pipe(inside(organization))
  return known ?? (yield* givenStore(organization))
})

/** The plugin that receives the deliveries and the calls of a list. */
const installed = Effect.fnUntraced(function* ({ organization }: Tenant) {
  const [known] = yield* (yield* Plugins).list({ limit: 1, after: null }).pipe(inside(organization))
  return known?.id ?? (yield* putPlugin(organization)).id
})

/** The workflow for versions and runs. */
const entered = Effect.fnUntraced(function* ({ organization }: Tenant) {
  const all = yield* (yield* Workflows).list(allWorkflows, { limit: 100, after: null }).pipe(inside(organization))
  return all.find(({ status }) => status === "active") ?? (yield* givenActiveWorkflow(organization))
})

/** The automation for runs. */
const automated = Effect.fnUntraced(function* ({ organization }: Tenant) {
  const automations = yield* Automations
  const [known] = yield* automations.list(allAutomations, { limit: 1, after: null }).pipe(inside(organization))
  return known ?? (yield* givenAutomation(organization))
})

/** The subscription that deliveries of a list are made to. */
const subscribed = Effect.fnUntraced(function* ({ organization }: Tenant) {
  const subscriptions = yield* WebhookSubscriptions
  const [known] = yield* subscriptions
    .list(allWebhookSubscriptions, { limit: 1, after: null })
    .pipe(inside(organization))
  return known ?? (yield* putSubscription(organization))
})

const talked = Effect.fnUntraced(function* ({ organization }: Tenant) {
  const conversations = yield* Conversations
  const query = {
    statuses: null,
    assignee: null,
    unread: null,
    awaitingReply: null,
    priorities: null,
    labels: ["talked"],
    chatAccountId: null,
    contactId: null,
    words: null,
    sort: "createdAt"
  } as const
  const { rows } = yield* conversations.list(query, { limit: 1, after: null }).pipe(inside(organization))
  return rows[0]?.conversation ?? (yield* givenConversation(organization, { labels: ["talked"] }))
})

/** The broadcast for recipients. */
const listed = Effect.fnUntraced(function* ({ organization }: Tenant) {
  const query = { status: null, chatAccountId: null, q: "listed", createdFrom: null, createdTo: null }
  const [found] = yield* (yield* Broadcasts).list(query, { limit: 1, after: null }).pipe(inside(organization))
  return found ?? (yield* givenBroadcast(organization, { name: "Listed" }))
})

const contents: Readonly<
  Record<string, Omit<ListUnderTest, "endpoint" | "path"> & Partial<Pick<ListUnderTest, "path">>>
> = {
  "tokens.list": { cursor: "cursor", add: (tenant) => givenAutomationToken(tenant) },
  "members.list": {
    cursor: "cursor",
    add: ({ organization }) => givenInvitation(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(Members, (members) => transact(members.remove(id as MemberId))).pipe(
        inside(organization),
        Effect.orDie
      )
  },
  "broadcasts.list": {
    cursor: "cursor",
    add: ({ organization }) => givenBroadcast(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(Broadcasts, (broadcasts) => transact(broadcasts.remove(id as BroadcastId, null))).pipe(
        inside(organization),
        Effect.orDie
      )
  },
  "broadcasts.recipients": {
    cursor: "cursor",
    path: (tenant) => Effect.map(listed(tenant), ({ id }) => `/api/v1/broadcasts/${id}/recipients`),
    add: (tenant) =>
      Effect.gen(function* () {
        const { id } = yield* listed(tenant)
        const { id: contactId } = yield* givenContact(tenant.organization)
        const recipient = { contactId, address: null, variant: null, dueAt: null, left: null }
        yield* transact((yield* RecipientLedger).list(id, [recipient])).pipe(inside(tenant.organization))
      })
  },
  "analytics.agents": {
    cursor: "cursor",
    path: () => Effect.succeed("/api/v1/analytics/agents?period=30d&sort=-open"),
    add: ({ organization }) =>
      Effect.flatMap(givenPerson(organization, "agent"), ({ user }) =>
        givenConversation(organization, { assigneeId: user.id })
      )
  },
  "analytics.broadcasts": {
    cursor: "cursor",
    path: () => Effect.succeed("/api/v1/analytics/broadcasts?period=30d"),
    add: ({ organization }) =>
      Effect.gen(function* () {
        const broadcast = yield* givenBroadcast(organization)
        const started = new Broadcast({ ...broadcast, status: "sending", startedAt: yield* DateTime.now })
        yield* Effect.flatMap(Broadcasts, (broadcasts) => transact(broadcasts.save(started, null))).pipe(
          inside(organization),
          Effect.orDie
        )
      })
  },
  "schedules.list": {
    cursor: "cursor",
    add: ({ organization }) => givenSchedule(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(WeeklySchedules, (schedules) => transact(schedules.remove(id as ScheduleId, null))).pipe(
        inside(organization),
        Effect.orDie
      )
  },
  "workflows.list": {
    cursor: "cursor",
    add: ({ organization }) => givenWorkflow(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(Workflows, (workflows) => transact(workflows.remove(id as WorkflowId, null))).pipe(
        inside(organization),
        Effect.orDie
      )
  },
  "workflows.listVersions": {
    cursor: "cursor",
    path: (tenant) => Effect.map(entered(tenant), ({ id }) => `/api/v1/workflows/${id}/versions`),
    add: (tenant) =>
      Effect.gen(function* () {
        const workflows = yield* Workflows
        const { graph, id } = yield* entered(tenant)
        const [last] = yield* workflows.versions(id, { limit: 1, after: null })
        const version = new WorkflowVersion({
          number: (last?.number ?? 0) + 1,
          graph,
          publishedAt: yield* DateTime.now
        })
        yield* transact(workflows.publish(id, version))
        return version
      }).pipe(inside(tenant.organization))
  },
  "workflows.listRuns": {
    cursor: "cursor",
    path: (tenant) => Effect.map(entered(tenant), ({ id }) => `/api/v1/workflows/${id}/runs`),
    add: (tenant) => Effect.flatMap(entered(tenant), ({ id }) => givenWorkflowRun(tenant.organization, id))
  },
  "automations.listRuns": {
    cursor: "cursor",
    path: (tenant) => Effect.map(automated(tenant), ({ id }) => `/api/v1/automations/${id}/runs`),
    add: (tenant) => Effect.flatMap(automated(tenant), ({ id }) => givenAutomationRun(tenant.organization, id))
  },
  "automations.list": {
    cursor: "cursor",
    add: ({ organization }) => givenAutomation(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(Automations, (automations) => transact(automations.remove(id as AutomationId, null))).pipe(
        inside(organization),
        Effect.orDie
      )
  },
  "contacts.list": {
    cursor: "cursor",
    add: ({ organization }) => givenContact(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(Contacts, (contacts) => transact(contacts.remove([id as ContactId]))).pipe(inside(organization))
  },
  "contacts.listRuns": {
    cursor: "cursor",
    path: (tenant) => Effect.map(lived(tenant), ({ id }) => `/api/v1/contacts/${id}/runs`),
    add: (tenant) =>
      Effect.gen(function* () {
        const { id: contactId } = yield* lived(tenant)
        const { id } = yield* automated(tenant)
        return { id: (yield* givenAutomationRun(tenant.organization, id, { contactId, state: "succeeded" })).id }
      })
  },
  "contacts.timeline": {
    cursor: "cursor",
    path: (tenant) => Effect.map(lived(tenant), ({ id }) => `/api/v1/contacts/${id}/timeline`),
    add: (tenant) =>
      Effect.gen(function* () {
        const { id } = yield* lived(tenant)
        const note = {
          id: yield* nextId(Uuid),
          at: yield* DateTime.now,
          actor: { kind: "operator", id: "test" }
        } as const
        yield* transact((yield* ContactHistory).note(id, { kind: "blocked", ...note })).pipe(
          inside(tenant.organization)
        )
      })
  },
  "contacts.listDuplicates": {
    cursor: "cursor",
    path: (tenant) => Effect.map(lived(tenant), ({ id }) => `/api/v1/contacts/${id}/duplicates`),
    add: (tenant) => Effect.flatMap(lived(tenant), (contact) => givenDuplicate(tenant.organization, contact))
  },
  "tags.list": {
    cursor: "cursor",
    add: ({ organization }) => givenTag(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(Tags, (tags) => transact(tags.remove(id as TagId, null))).pipe(inside(organization), Effect.orDie)
  },
  "contactFields.list": {
    cursor: "cursor",
    add: ({ organization }) => givenContactField(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(ContactFields, (fields) => transact(fields.remove(id as ContactFieldId))).pipe(
        inside(organization),
        Effect.orDie
      )
  },
  "segments.list": {
    cursor: "cursor",
    add: ({ organization }) => givenSegment(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(Segments, (segments) => transact(segments.remove(id as SegmentId, null))).pipe(
        inside(organization),
        Effect.orDie
      )
  },
  "chatAccounts.list": {
    cursor: "cursor",
    add: ({ organization }) => givenNumber(organization),
    remove: ({ organization }, id) =>
      removeChatAccount({ id: id as ChatAccountId, ifVersion: null }).pipe(inside(organization), Effect.orDie)
  },
  "messageTemplates.list": {
    cursor: "cursor",
    add: ({ organization }) => givenTemplate(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(MessageTemplates, (templates) => transact(templates.remove(id as MessageTemplateId, null))).pipe(
        inside(organization),
        Effect.orDie
      )
  },
  "conversations.list": { cursor: "cursor", add: ({ organization }) => givenConversation(organization) },
  "messages.list": {
    cursor: "cursor",
    path: (tenant) => Effect.map(talked(tenant), ({ id }) => `/api/v1/conversations/${id}/messages`),
    add: (tenant) => Effect.flatMap(talked(tenant), (conversation) => givenMessage(tenant.organization, conversation))
  },
  "messages.search": {
    cursor: "cursor",
    path: () => Effect.succeed("/api/v1/messages?q=bread"),
    add: (tenant) => Effect.flatMap(talked(tenant), (conversation) => givenMessage(tenant.organization, conversation))
  },
  "notes.list": {
    cursor: "cursor",
    path: (tenant) => Effect.map(talked(tenant), ({ id }) => `/api/v1/conversations/${id}/notes`),
    add: (tenant) =>
      Effect.flatMap(talked(tenant), (conversation) => givenNoteOf(tenant.organization, conversation, tenant.owner)),
    remove: (tenant, id) =>
      Effect.gen(function* () {
        const conversation = yield* talked(tenant)
        const notes = yield* Notes
        yield* transact(notes.remove(conversation.id, id as NoteId, null)).pipe(
          inside(tenant.organization),
          Effect.orDie
        )
      })
  },
  "cannedReplies.list": {
    cursor: "cursor",
    add: ({ organization }) => givenReply(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(CannedReplies, (replies) => transact(replies.remove(id as CannedReplyId, null))).pipe(
        inside(organization),
        Effect.orDie
      )
  },
  "storeConnections.list": {
    cursor: "cursor",
    add: ({ organization }) => givenStore(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(StoreConnections, (connections) =>
        transact(connections.remove(id as StoreConnectionId, null))
      ).pipe(inside(organization), Effect.orDie)
  },
  "storeConnections.listSkipped": {
    cursor: "cursor",
    path: (tenant) => Effect.map(connected(tenant), ({ id }) => `/api/v1/store_connections/${id}/skipped_records`),
    add: (tenant) =>
      Effect.gen(function* () {
        const { id: storeConnectionId } = yield* connected(tenant)
        const [externalId, now] = [yield* nextId(Uuid), yield* DateTime.now]
        const record = new SkippedRecord({
          kind: "orders",
          externalId,
          reason: "No readable value: updatedAt",
          createdAt: now,
          updatedAt: now
        })
        yield* transact((yield* SkippedRecords).put([{ storeConnectionId, readerVersion: "1", record }], 100)).pipe(
          inside(tenant.organization)
        )
      })
  },
  "privacyRequests.list": { cursor: "cursor", add: ({ organization }) => givenPrivacyRequest(organization) },
  "commerce.listOrders": { cursor: "cursor", add: ({ organization }) => givenCommerce(organization) },
  "commerce.listCarts": { cursor: "cursor", add: ({ organization }) => givenCommerce(organization) },
  "commerce.listCustomers": { cursor: "cursor", add: ({ organization }) => givenCommerce(organization) },
  "commerce.listProducts": { cursor: "cursor", add: ({ organization }) => givenCommerce(organization) },
  "plugins.list": {
    cursor: "cursor",
    add: ({ organization }) => putPlugin(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(Plugins, (plugins) => transact(plugins.remove(id as PluginId, null))).pipe(
        inside(organization),
        Effect.orDie
      )
  },
  "plugins.listDeliveries": {
    cursor: "cursor",
    path: (tenant) => Effect.map(installed(tenant), (id) => `/api/v1/plugins/${id}/deliveries`),
    add: (tenant) =>
      Effect.flatMap(installed(tenant), (id) => givenWebhookDelivery(tenant.organization, subscriptionOf(id)))
  },
  "plugins.listCalls": {
    cursor: "cursor",
    path: (tenant) => Effect.map(installed(tenant), (id) => `/api/v1/plugins/${id}/calls`),
    add: (tenant) => Effect.flatMap(installed(tenant), (pluginId) => givenPluginCall(tenant.organization, { pluginId }))
  },
  "webhookSubscriptions.list": {
    cursor: "cursor",
    add: ({ organization }) => putSubscription(organization),
    remove: ({ organization }, id) =>
      Effect.flatMap(WebhookSubscriptions, (subscriptions) =>
        transact(subscriptions.remove(id as WebhookSubscriptionId, null))
      ).pipe(inside(organization), Effect.orDie)
  },
  "webhookSubscriptions.listDeliveries": {
    cursor: "cursor",
    path: (tenant) => Effect.map(subscribed(tenant), ({ id }) => `/api/v1/webhook_subscriptions/${id}/deliveries`),
    add: (tenant) =>
      Effect.flatMap(subscribed(tenant), ({ id }) =>
        givenWebhookDelivery(tenant.organization, id as WebhookSubscriptionId)
      )
  },
  "jobs.list": { cursor: "cursor", add: ({ organization }) => givenJob(organization) },
  "events.list": {
    cursor: "after",
    add: ({ organization }) =>
      Effect.flatMap(Outbox, (outbox) =>
        transact(outbox.append({ type: "organization.updated", organizationId: organization.id }))
      ).pipe(inside(organization))
  },
  "audit.list": {
    cursor: "cursor",
    add: ({ organization }) =>
      Effect.flatMap(freshId, (id) => transact(recordAudit("automation.updated", { kind: "automation", id }))).pipe(
        inside(organization)
      )
  }
}

/** Every list of the contract. A list that no test can fill is missing here, and a test reports it. */
export const lists: ReadonlyArray<ListUnderTest> = pages.flatMap((endpoint) => {
  const content = contents[endpoint.id]
  return content === undefined ? [] : [{ endpoint, path: () => Effect.succeed(endpoint.path), ...content }]
})

/** The name of a list in the title of a test. */
export const named = lists.map((list) => ({ ...list, id: list.endpoint.id }))
