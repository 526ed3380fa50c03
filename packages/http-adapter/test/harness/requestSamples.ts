import { transact } from "@parley/domain/kernel"
import { RecipientLedger } from "@parley/domain/campaigns"
import { NodeId } from "@parley/domain/automation"
import {
  givenAutomationRun,
  givenActiveWorkflow,
  givenPluginCall,
  givenSubscription,
  givenWebhookDelivery,
  givenWorkflowRun,
  putPlugin
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { givenBroadcast, givenSendableBroadcast } from "./campaigns.ts"
import {
  givenConversation,
  givenEndpoint,
  givenMessage,
  givenNoteOf,
  givenNumber,
  givenSubmitted,
  givenTemplate
} from "./inbox.ts"
import type { Recipe } from "./Recipe.ts"
import { givenAutomation, givenContact, givenDuplicate, givenTag, givenWorkflow, inside } from "./tenants.ts"

/** Inputs that make the effect of a field visible. */
export interface Showing {
  /** Values in addition to the schema samples. */
  readonly values?: ReadonlyArray<unknown>
  /** A valid request that replaces the default one. */
  readonly recipe?: Recipe
  /** Required context fields, because the field refers to them. */
  readonly body?: object
  readonly query?: string
}

const template = {
  components: { body: { text: "Hello {{1}}.", examples: { "1": "Ana" } } },
  variables: [{ key: "body.1", in: "body", kind: "text" }],
  status: "approved"
} as const

const mapped = { "body.1": { kind: "constant", value: "Ana" } }

/** A request about a number with only these fields. */
const onNumber =
  (body: object): Recipe =>
  ({ tenant }) =>
    Effect.map(givenNumber(tenant.organization), ({ id }) => ({ id, body }))

/** A preview to one contact, with a variable. */
const previewed: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    yield* givenSendableBroadcast(organization)
    const { id: chatAccountId } = yield* givenNumber(organization)
    const { id: templateId } = yield* givenTemplate(organization, { chatAccountId, ...template })
    return { body: { chatAccountId, templateId, audience: {} } }
  })

const drafted: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    const { id: chatAccountId } = yield* givenNumber(organization)
    const { id: templateId } = yield* givenTemplate(organization, { chatAccountId, ...template })
    return { body: { name: "Spring", chatAccountId, templateId } }
  })

/** A test of a workflow that shows its input. */
const tested: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    const [show, end] = [NodeId.make("show"), NodeId.make("end")]
    const action = { type: "add_note", text: "{{ input.coupon | default: 'none' }}" } as const
    const { id } = yield* givenActiveWorkflow(organization, {
      entry: { event: null, next: show },
      nodes: [
        { id: show, kind: "action", action, next: end },
        { id: end, kind: "end" }
      ]
    })
    const { id: contactId } = yield* givenContact(organization)
    return { id, body: { contactId } }
  })

/** A broadcast with two recipients. */
const listed: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    const { id } = yield* givenBroadcast(organization)
    const contacts = [yield* givenContact(organization), yield* givenContact(organization)]
    const recipients = contacts.map((contact, place) => ({
      contactId: contact.id,
      address: null,
      variant: place === 0 ? ("a" as const) : ("b" as const),
      dueAt: null,
      left: place === 0 ? null : ({ kind: "excluded", reason: "no_identity" } as const)
    }))
    yield* transact((yield* RecipientLedger).list(id, recipients)).pipe(inside(organization))
    return { id }
  })

const runs: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    const { id } = yield* givenAutomation(organization)
    yield* givenAutomationRun(organization, id)
    yield* givenAutomationRun(organization, id)
    return { id }
  })

const workflowRuns: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    const { id } = yield* givenActiveWorkflow(organization)
    yield* givenWorkflowRun(organization, id)
    yield* givenWorkflowRun(organization, id)
    return { id }
  })

const deliveries: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    const { id } = yield* givenSubscription(organization)
    yield* givenWebhookDelivery(organization, id)
    yield* givenWebhookDelivery(organization, id)
    return { id }
  })

const pluginCalls: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    const { id: pluginId } = yield* putPlugin(organization)
    yield* givenPluginCall(organization, { pluginId })
    yield* givenPluginCall(organization, { pluginId })
    return { id: pluginId }
  })

const inGraph = {
  recipe: (({ tenant }) =>
    Effect.map(givenWorkflow(tenant.organization), ({ id }) => ({ id, body: {} }))) satisfies Recipe,
  body: { graph: { entry: { event: null, next: "e" }, nodes: [{ id: "e", kind: "end" }] } }
} satisfies Showing

const asChart: Showing = { query: "format=svg" }

const ofDates: Showing = {
  recipe: () => Effect.succeed({ query: "?from=2026-02-01&to=2026-02-20&figure=conversations.opened&by=day" }),
  values: ["2026-02-10"]
}
const ofPlainDates: Showing = { ...ofDates, recipe: () => Effect.succeed({ query: "?from=2026-02-01&to=2026-02-20" }) }

const marketing: Showing = { body: { marketing: { state: "subscribed" } } }
const scheduled: Showing = { body: { schedule: { localAt: "2026-03-05T09:00" } } }
const window = { days: ["mon"], from: "09:00", to: "18:00" }

const openings: Showing = { values: [[["10:00", "16:00"]]] }

const codeContent = {
  category: "authentication",
  components: {
    authentication: {
      transfer: "one_tap",
      apps: [{ packageName: "com.example.bakery", signatureHash: "K8a/AINcGX7" }]
    }
  }
}

const offerContent = {
  category: "marketing",
  components: {
    body: { text: "Fresh bread for less." },
    limitedTimeOffer: { text: "Today only" },
    buttons: [{ type: "url", text: "Order", url: "https://bakery.example/offer" }]
  }
}

/** Template with this content: a preview, a new one, a draft, or a rejected one. */
const templateRecipes = (content: object): Readonly<Record<string, Recipe>> => ({
  previewContent: () => Effect.succeed({ body: content }),
  create: ({ tenant }) =>
    Effect.map(givenNumber(tenant.organization), ({ id: chatAccountId }) => ({
      body: { chatAccountId, name: "shown", language: "en", ...content }
    })),
  update: ({ tenant }) => Effect.map(givenTemplate(tenant.organization), ({ id }) => ({ id, body: content })),
  edit: ({ tenant }) => Effect.map(givenSubmitted(tenant.organization, "rejected"), ({ id }) => ({ id, body: content }))
})

const codeValues: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  securityRecommendation: [true],
  expiryMinutes: [5],
  copyText: ["Copy it"],
  autofillText: ["Fill it in"],
  apps: [[{ packageName: "com.example.orders", signatureHash: "K8a/AINcGX7" }]],
  zeroTapTermsAccepted: [true],
  text: ["A text of the provider"]
}

const templateShowings = Object.fromEntries([
  ...Object.entries(templateRecipes(codeContent)).flatMap(([call, recipe]) =>
    Object.entries(codeValues).map(([field, values]) => [
      `messageTemplates.${call} /components/authentication/${field}`,
      { recipe, values } satisfies Showing
    ])
  ),
  ...Object.entries(templateRecipes(offerContent)).map(([call, recipe]) => [
    `messageTemplates.${call} /components/limitedTimeOffer/hasExpiration`,
    { recipe, values: [true] } satisfies Showing
  ])
])

/** Inputs for fields whose effect schema samples do not show, by the endpoint and the path of the field. */
export const showings: Readonly<Record<string, Showing>> = {
  "contacts.create /marketing/source": marketing,
  "contacts.create /marketing/evidence": marketing,
  "contacts.update /marketing/source": marketing,
  "contacts.update /marketing/evidence": marketing,
  "contacts.upsertByPhone /marketing/source": marketing,
  "contacts.upsertByPhone /marketing/evidence": marketing,
  "contacts.get ?expand": {
    values: ["tags"],
    recipe: ({ tenant: { organization } }) =>
      Effect.gen(function* () {
        const tag = yield* givenTag(organization)
        return { id: (yield* givenContact(organization, { tags: [tag.id] })).id }
      })
  },
  "contacts.update /addIdentities": { values: [[{ kind: "external", value: "crm-7" }]] },
  "contacts.update /removeIdentities": {
    values: [[{ kind: "external", value: "crm-7" }]],
    recipe: ({ tenant: { organization } }) =>
      Effect.gen(function* () {
        const addedAt = yield* DateTime.now
        const identity = { kind: "external", value: "crm-7", source: "api", addedAt } as const
        return { id: (yield* givenContact(organization, { identities: [identity] })).id, body: { name: "Marie" } }
      })
  },
  "contacts.listDuplicates ?limit": {
    recipe: ({ tenant: { organization } }) =>
      Effect.gen(function* () {
        const addedAt = yield* DateTime.now
        const identity = { kind: "external", value: "crm-7", source: "api", addedAt } as const
        const contact = yield* givenContact(organization, { identities: [identity] })
        yield* givenDuplicate(organization, contact)
        yield* givenDuplicate(organization, contact)
        return { id: contact.id }
      })
  },
  "chatAccounts.update /url": {
    recipe: ({ tenant }) => Effect.map(givenEndpoint(tenant.organization), ({ id }) => ({ id, body: {} }))
  },
  "chatAccounts.update /accessToken": { recipe: onNumber({ displayName: "Corner Bakery, orders" }) },
  "chatAccounts.register /pin": { recipe: onNumber({}) },
  ...templateShowings,
  // The category of an approved template is fixed.
  "messageTemplates.edit /category": {
    values: ["marketing"],
    recipe: ({ tenant }) =>
      Effect.map(givenSubmitted(tenant.organization, "rejected"), ({ id }) => ({
        id,
        body: { components: { body: { text: "Your order is here." } } }
      }))
  },
  "messageTemplates.preview /values": {
    values: [{ "body.1": "Eve" }],
    recipe: ({ tenant }) =>
      Effect.map(givenTemplate(tenant.organization, template), ({ id }) => ({
        id,
        body: { values: { "body.1": "Ana" } }
      }))
  },
  "messages.list ?limit": {
    recipe: ({ tenant: { organization } }) =>
      Effect.gen(function* () {
        const conversation = yield* givenConversation(organization)
        yield* givenMessage(organization, conversation)
        yield* givenMessage(organization, conversation)
        return { id: conversation.id }
      })
  },
  "notes.list ?limit": {
    recipe: ({ person, tenant: { organization } }) =>
      Effect.gen(function* () {
        const { id } = yield* givenConversation(organization)
        yield* givenNoteOf(organization, { id }, person)
        yield* givenNoteOf(organization, { id }, person)
        return { id }
      })
  },
  "broadcasts.create /variables": { values: [mapped], recipe: drafted },
  "broadcasts.preview /variables": { values: [mapped], recipe: previewed },
  "broadcasts.preview /holdOut": { values: [50], recipe: previewed },
  "broadcasts.preview /exclude": { recipe: previewed },
  "broadcasts.preview /audience": { recipe: previewed, values: [{ field: "email", op: "is_set" }] },
  "broadcasts.preview /schedule": { recipe: previewed, values: [{ endBy: "2026-01-01T00:00:00Z" }] },
  "broadcasts.preview /schedule/passed": {
    values: ["skip"],
    recipe: previewed,
    body: { schedule: { localAt: "2026-03-01T02:00", zone: "contact" } }
  },
  "broadcasts.preview /schedule/zone": {
    values: ["contact"],
    recipe: previewed,
    body: { schedule: { localAt: "2026-03-01T02:00", passed: "skip" } }
  },
  "broadcasts.simulate /at": {
    values: ["2026-03-02T09:00:00.000Z"],
    recipe: ({ tenant }) => Effect.map(givenSendableBroadcast(tenant.organization), ({ id }) => ({ id, body: {} }))
  },
  "broadcasts.schedule /schedule/zone": scheduled,
  "broadcasts.schedule /schedule/passed": scheduled,
  "broadcasts.schedule /schedule/window": { ...scheduled, values: [window] },
  "broadcasts.recipients ?limit": { recipe: listed },
  "broadcasts.recipients ?status": { recipe: listed },
  "broadcasts.recipients ?reason": { recipe: listed },
  "broadcasts.recipients ?variant": { recipe: listed },
  "broadcasts.recipients ?replied": { recipe: listed },
  "broadcasts.exportRecipients ?status": { recipe: listed },
  "broadcasts.exportRecipients ?reason": { recipe: listed },
  "broadcasts.exportRecipients ?variant": { recipe: listed },
  "broadcasts.exportRecipients ?replied": { recipe: listed },
  "broadcastSettings.update /optOutKeywords": { values: [{ de: ["Kein Brot mehr"] }] },
  "broadcastSettings.update /optInKeywords": { values: [{ de: ["Wieder Brot"] }] },
  "broadcastSettings.update /optOutReply": { values: [{ de: "Du bekommst nichts mehr." }] },
  ...Object.fromEntries(
    ["overview", "series", "agents", "broadcasts", "heatmap", "costs", "live"].flatMap((name) =>
      ["width", "height", "theme"].map((field) => [`analytics.${name} ?${field}`, asChart])
    )
  ),
  ...Object.fromEntries(
    ["agents", "broadcasts", "heatmap", "costs"].flatMap((name) =>
      ["from", "to"].map((field) => [`analytics.${name} ?${field}`, ofPlainDates])
    )
  ),
  "analytics.series ?from": ofDates,
  "analytics.series ?to": ofDates,
  "webhookSubscriptions.listDeliveries ?limit": { recipe: deliveries },
  "webhookSubscriptions.listDeliveries ?state": { recipe: deliveries },
  "webhookSubscriptions.listDeliveries ?type": { recipe: deliveries },
  "webhookSubscriptions.listDeliveries ?position": { recipe: deliveries },
  ...Object.fromEntries(
    ["limit", "state", "action", "runId", "from", "to"].map((name) => [
      `plugins.listCalls ?${name}`,
      { recipe: pluginCalls } satisfies Showing
    ])
  ),
  ...Object.fromEntries(
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].flatMap((day) => [
      [`schedules.create /weekly/${day}`, openings],
      [`schedules.update /weekly/${day}`, openings]
    ])
  ),
  "schedules.create /holidays": { values: [[{ date: "2026-12-25", name: "Christmas Day", spans: [] }]] },
  "schedules.update /holidays": { values: [[{ date: "2026-12-24", name: "Christmas Eve", spans: [] }]] },
  "automations.create /if": {
    values: [{ field: "event.isFirst", op: "is", value: true }],
    body: { when: { event: "message.received" } }
  },
  "automations.update /position": {
    values: [2],
    recipe: ({ tenant: { organization } }) =>
      Effect.gen(function* () {
        const { id } = yield* givenAutomation(organization)
        yield* givenAutomation(organization, "Greet others")
        return { id, body: { name: "Greet everybody" } }
      })
  },
  "automations.test /draft": { values: [{ then: [{ type: "set_priority", priority: "low" }] }] },
  "messageTemplates.upsertAuthentication /authentication/apps": {
    values: [[{ packageName: "com.example.bakery", signatureHash: "K8a/AINcGX7" }]]
  },
  "automations.listRuns ?contactId": { recipe: runs },
  "automations.listRuns ?position": { recipe: runs },
  "automations.listRuns ?limit": { recipe: runs },
  "automations.listRuns ?state": { recipe: runs },
  "workflows.update /graph/entry": { ...inGraph },
  ...Object.fromEntries(
    ["event", "if", "by", "reentry", "maxLateSeconds"].map((field) => [
      `workflows.update /graph/entry/${field}`,
      inGraph
    ])
  ),
  "workflows.update /graph/goals": inGraph,
  "workflows.update /graph/exits": inGraph,
  "workflows.listRuns ?contactId": { recipe: workflowRuns },
  "workflows.listRuns ?position": { recipe: workflowRuns },
  "workflows.listRuns ?limit": { recipe: workflowRuns },
  "workflows.listRuns ?state": { recipe: workflowRuns },
  "workflows.test /input": { values: [{ coupon: "OTHER" }], recipe: tested },
  "workflows.test /answers": { values: [{ unknown: "event" }] },
  "workflows.startRun /input": { values: [{ coupon: "OTHER" }] },
  // Both are refused with a pointer to the field. Samples of their schemas cannot be drawn.
  "plugins.install /manifest/actions": { values: [[{}]] },
  "workflows.migrateRuns /map": { values: [{ unknown: "unknown" }] }
}

const unknownId = "01990000-0000-7000-8000-000000000001"

const blocked = { field: "blocked", op: "is", value: true }

/** Values for fields with a schema that is wider than their rule, by field name. */
export const samples: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  audience: [{ field: "phone", op: "is_set" }],
  country: ["FR"],
  accessToken: ["another-token-of-the-number"],
  appSecret: ["0123456789abcdef0123456789abcdef"],
  deviceToken: ["another-device"],
  exclude: [blocked, { field: "phone", op: "is_set" }],
  filter: [{ field: "email", op: "is_set" }],
  holdOut: [5],
  limit: [1],
  phone: ["+4930901820"],
  pin: ["150954"],
  timezone: ["Asia/Tokyo", "Europe/Lisbon"],
  variants: [["a", "b"].map((key) => ({ key, weight: 50, templateId: unknownId, variables: {} }))],
  url: ["https://other.example/hook"]
}

/** Requests that are sent or prepared first, because lists need rows to filter. */
export const seeds: Readonly<Record<string, ReadonlyArray<string>>> = {
  "tokens.list": ["tokens.revoke", "tokens.revoke"],
  "members.list": ["members.changeRole", "members.changeRole"],
  "contacts.list": ["contacts.create", "contacts.get"],
  "contacts.count": ["contacts.create"],
  "contactTransfer.export": ["contacts.create"],
  "tags.list": ["tags.get", "tags.get"],
  "contactFields.list": ["contactFields.update", "contactFields.update"],
  "segments.list": ["segments.get", "segments.get"],
  "chatAccounts.list": ["chatAccounts.get", "chatAccounts.get"],
  "messageTemplates.list": ["messageTemplates.get", "messageTemplates.get"],
  "conversations.list": ["conversations.get", "conversations.get"],
  "messages.search": ["messages.get", "messages.get"],
  "cannedReplies.list": ["cannedReplies.update", "cannedReplies.update"],
  "broadcasts.list": ["broadcasts.get", "broadcasts.test"],
  "storeConnections.list": ["storeConnections.get", "storeConnections.get"],
  "commerce.listOrders": ["commerce.getOrder", "commerce.getOrder"],
  "commerce.listCarts": ["commerce.getCart", "commerce.getCart"],
  "commerce.listCustomers": ["commerce.getCustomer", "commerce.getCustomer"],
  "commerce.listProducts": ["commerce.getProduct", "commerce.getProduct"],
  "privacyRequests.list": ["privacyRequests.get", "privacyRequests.get"],
  "webhookSubscriptions.list": ["webhookSubscriptions.get", "webhookSubscriptions.get"],
  "plugins.list": ["plugins.get"],
  "schedules.list": ["schedules.get", "schedules.get"],
  "automations.list": ["automations.get", "automations.get"],
  "workflows.list": ["workflows.get", "workflows.get"],
  "jobs.list": ["jobs.get", "jobs.get"],
  "events.list": ["tags.create", "tags.create"],
  "audit.list": ["tags.create", "tags.create"],
  "analytics.broadcasts": ["broadcasts.send"]
}

const wholeDraft = "A preview takes a whole draft. The field matters once the broadcast is sent."

const pagedElsewhere = "The suite of lists reads every list page by page."

const ofAnotherPhone = "A preview shows the button that copies the code, and not the transfer to an app."

const eitherVersionOrManifest =
  "An upgrade has either a version or a manifest: domain/test/integrations/plugins/life.test.ts."

/** Fields with an effect that one request does not show, each with the reason or with the test of its effect. */
export const unseen: Readonly<Record<string, string>> = {
  "messageTemplates.previewContent /components/authentication/autofillText": ofAnotherPhone,
  "messageTemplates.previewContent /components/authentication/apps": ofAnotherPhone,
  "messageTemplates.previewContent /components/authentication/zeroTapTermsAccepted": ofAnotherPhone,
  "messageTemplates.previewContent /components/limitedTimeOffer/hasExpiration": "A preview shows no countdown.",
  "messageTemplates.previewContent /components/unsupported": "Parley cannot show components that it does not know.",
  "automationTriggers.trigger /data":
    "Conditions and texts of the run read it later: domain/test/automation/automations/triggerUrls.test.ts.",
  "sessions.login /organizationId": "An unknown organization is refused without a pointer: suites/sessions.ts.",
  "sessions.login /deviceToken":
    "It counts once logins are throttled: domain/test/platform/identity/loginThrottle.test.ts.",
  "contacts.create /marketing/evidence": "It is stored in the consent ledger: suites/contactPrivacy.ts.",
  "contacts.update /marketing/evidence": "It is stored in the consent ledger: suites/contactPrivacy.ts.",
  "contacts.upsertByPhone /marketing/evidence": "It is stored in the consent ledger: suites/contactPrivacy.ts.",
  "contacts.bulk /target/filter": "A target has either ids or a filter: suites/contactBulk.ts.",
  "contacts.timeline ?limit": pagedElsewhere,
  "contactTransfer.import ?delimiter": "The job reads the file later: suites/contactTransfer.ts.",
  "conversations.presence /showToContact": "The contact sees it: domain/test/messaging/inbox/contactPresence.test.ts.",
  "conversations.list ?sort": "It orders conversations of different times: suites/conversations.ts.",
  "broadcasts.retry /allowDuplicate": "It is required with in_doubt: suites/retries.ts.",
  "broadcasts.preview /name": wholeDraft,
  "broadcasts.preview /splitKey": wholeDraft,
  "broadcasts.preview /schedule/window": wholeDraft,
  "broadcasts.preview /throttle": wholeDraft,
  "broadcasts.preview /ignoreFrequencyCaps": "It needs earlier broadcasts: domain/test/campaigns/audience.test.ts.",
  "broadcasts.preview /ignoreQuietHours": wholeDraft,
  "broadcasts.preview /replyHours": wholeDraft,
  "broadcasts.preview /upliftDays": wholeDraft,
  "commerce.ofContact ?orders": "It needs several orders of a contact: suites/commerce.ts.",
  "commerce.ofConversation ?orders": "It needs several orders of a contact: suites/commerce.ts.",
  "analytics.agents ?sort": "It orders members with figures: domain/test/analytics.",
  "analytics.agents ?limit": pagedElsewhere,
  "analytics.broadcasts ?limit": pagedElsewhere,
  "storeConnections.listSkipped ?limit": pagedElsewhere,
  "workflows.list ?sort": "It orders workflows of different names: testkit/src/contracts/automation/workflows.",
  "webhookSubscriptions.list ?sort":
    "It orders subscriptions of different names: testkit/src/contracts/integrations/webhooks.",
  "commerce.listOrders ?sort": "It orders orders of different times: testkit/src/contracts/commerce.",
  "webhookSubscriptions.create /payloadVersion": "There is one version.",
  "webhookSubscriptions.update /payloadVersion": "There is one version.",
  "webhookSubscriptions.replay /after": "It selects events: suites/webhookSubscriptions.ts.",
  "webhookSubscriptions.replay /until": "It selects events: suites/webhookSubscriptions.ts.",
  "webhookSubscriptions.replay /types": "It selects events: suites/webhookSubscriptions.ts.",
  "plugins.list ?limit": pagedElsewhere,
  "plugins.install /key":
    "A plugin has either a key of the catalogue or a manifest: domain/test/integrations/plugins/life.test.ts.",
  "plugins.upgrade /version": eitherVersionOrManifest,
  "plugins.upgrade /manifest": eitherVersionOrManifest,
  "plugins.upgrade /manifest/lifecycle": eitherVersionOrManifest,
  "plugins.upgrade /manifest/events": eitherVersionOrManifest,
  "plugins.upgrade /manifest/settings": eitherVersionOrManifest,
  "plugins.upgrade /manifest/actions": eitherVersionOrManifest,
  "plugins.uninstall ?force":
    "It matters for plugins that automations name: domain/test/integrations/plugins/life.test.ts.",
  "plugins.listDeliveries ?limit": pagedElsewhere,
  "plugins.listDeliveries ?state": "The list is that of webhook subscriptions, where it is shown.",
  "plugins.listDeliveries ?type": "The list is that of webhook subscriptions, where it is shown.",
  "pluginCalls.complete /error":
    "A call ends with either an output or an error: domain/test/integrations/plugins/actions.test.ts.",
  "workflows.listVersions ?limit": pagedElsewhere,
  "contacts.listRuns ?limit": pagedElsewhere,
  "workflows.continueRun /as":
    "It selects the exit of a wait for an event: domain/test/automation/workflows/runs.test.ts."
}
