import { type ChatAccountView, connectChatAccount, type Organization, type Ports } from "@parley/domain"
import { asOperatorOf, TestKit } from "@parley/testkit"
import { DateTime, Effect, Redacted } from "effect"
import type { Call, Http } from "./Http.ts"
import type { Endpoint } from "./contract.ts"
import {
  delivery,
  givenConversation,
  givenFailed,
  givenFile,
  givenMessage,
  givenNoteOf,
  givenNumber,
  givenReply,
  givenTemplate,
  newNumber,
  newSignup,
  signedDelivery,
  verifyTokenOf
} from "./inbox.ts"
import {
  freshText,
  givenAutomation,
  givenAutomationToken,
  givenContact,
  givenContactField,
  givenDocsCode,
  givenDocsSession,
  givenImport,
  givenInvitation,
  givenJob,
  givenDuplicate,
  givenMerge,
  givenPasswordReset,
  givenPerson,
  givenSegment,
  givenTag,
  password,
  type Person,
  signIn,
  type Tenant
} from "./tenants.ts"

/** Who sends a request, and where. */
export interface Caller {
  readonly tenant: Tenant
  readonly person: Person
}

/** A request that the service accepts. */
export interface ValidRequest extends Call {
  readonly path: string
  /** What stands in the path, by name. */
  readonly params?: Readonly<Record<string, string>>
}

/** `id` is what the path names first, `params` is what it names besides, `query` what comes behind it. */
type Ingredients = Omit<ValidRequest, "path"> & { readonly id?: string; readonly query?: string }

/** The path of the endpoint with these in it. */
export const pathWith = ({ path }: Endpoint, params: Readonly<Record<string, string>>): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))

type Recipe = (caller: Caller) => Effect.Effect<Ingredients, never, Ports>

const nothing: Recipe = () => Effect.succeed({})

const onMember =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenPerson(tenant.organization), ({ member }) => ({ id: member.id, body }))

const onAutomation =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenAutomation(tenant.organization), ({ id }) => ({ id, body }))

const onJob: Recipe = ({ tenant }) => Effect.map(givenJob(tenant.organization), ({ id }) => ({ id }))

const onContact =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenContact(tenant.organization), ({ id }) => ({ id, body }))

const onImport: Recipe = ({ tenant }) => Effect.map(givenImport(tenant.organization), ({ id }) => ({ id }))

const onTag =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenTag(tenant.organization), ({ id }) => ({ id, body }))

const onContactField =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenContactField(tenant.organization), ({ id }) => ({ id, body }))

const onSegment =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenSegment(tenant.organization), ({ id }) => ({ id, body }))

const onNumber =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenNumber(tenant.organization), ({ id }) => ({ id, body }))

const endpoints = new Map<string, ChatAccountView>()

/** An account that is an address of its own: one for each organization, so that whoever knows its secret is known. */
export const givenEndpoint = Effect.fnUntraced(function* (organization: Organization) {
  const known = endpoints.get(organization.id)
  if (known !== undefined) return known
  const made = yield* connectChatAccount({
    provider: "webhook",
    displayName: "Shop chat",
    url: "https://chat.shop.example/parley"
  }).pipe(asOperatorOf(organization), Effect.orDie)
  endpoints.set(organization.id, made)
  return made
})

const receiveForAccount: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    const { id, signingSecret } = yield* givenEndpoint(organization)
    const delivered = yield* signedDelivery([], Redacted.make(signingSecret ?? ""))
    return { id: organization.id, params: { chat_account_id: id }, ...delivered }
  })

const onTemplate =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenTemplate(tenant.organization), ({ id }) => ({ id, body }))

const onConversation =
  (body?: unknown, status: "open" | "resolved" = "open"): Recipe =>
  ({ tenant }) =>
    Effect.map(givenConversation(tenant.organization, { status }), ({ id }) => ({ id, body }))

const onMessage: Recipe = ({ tenant }) =>
  Effect.gen(function* () {
    const conversation = yield* givenConversation(tenant.organization)
    const { id: messageId } = yield* givenMessage(tenant.organization, conversation)
    return { id: conversation.id, params: { messageId } }
  })

const onNote =
  (body?: unknown): Recipe =>
  ({ person, tenant }) =>
    Effect.gen(function* () {
      const { id } = yield* givenConversation(tenant.organization)
      const { id: noteId } = yield* givenNoteOf(tenant.organization, { id }, person)
      return { id, params: { noteId }, body }
    })

const onReply =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenReply(tenant.organization), ({ id }) => ({ id, body }))

const handshake = (token: string) =>
  `?${new URLSearchParams({ "hub.mode": "subscribe", "hub.verify_token": token, "hub.challenge": "1158201444" })}`

const verifyPlatform: Recipe = () =>
  Effect.succeed({ query: handshake(Redacted.value(TestKit.testPlatformApp.verifyToken)) })

const receivePlatform: Recipe = () => delivery([], "platform app")

const verifyOwn: Recipe = ({ tenant: { organization } }) =>
  Effect.map(givenNumber(organization), (account) => ({
    id: organization.id,
    query: handshake(verifyTokenOf(account))
  }))

const receiveOwn: Recipe = ({ tenant: { organization } }) =>
  Effect.gen(function* () {
    return { id: organization.id, ...(yield* delivery([], yield* givenNumber(organization))) }
  })

/** A number that nobody else has: numbers for fiction are too few for that. */
const freshPhone = Effect.map(
  freshText(""),
  (text) => `+49151${(BigInt(`0x${text.replaceAll("-", "").slice(-12)}`) % 10n ** 8n).toString().padStart(8, "0")}`
)

/** What to send to each endpoint so that it does what it is for. What the request needs is made first. */
const recipes: Readonly<Record<string, Recipe>> = {
  "sessions.login": ({ person }) => Effect.succeed({ body: { email: person.user.email, password } }),
  "sessions.refresh": ({ person }) =>
    Effect.map(signIn(person.user), ({ refreshToken }) => ({ body: { refreshToken: Redacted.value(refreshToken) } })),
  "sessions.acceptInvitation": ({ tenant }) =>
    Effect.map(givenInvitation(tenant.organization), ({ token }) => ({
      body: { token: Redacted.value(token), name: "Grace Hopper", password }
    })),
  "sessions.forgotPassword": ({ person }) => Effect.succeed({ body: { email: person.user.email } }),
  "sessions.resetPassword": ({ tenant }) =>
    Effect.gen(function* () {
      const { user } = yield* givenPerson(tenant.organization)
      const token = Redacted.value(yield* givenPasswordReset(user.email))
      return { body: { token, password: "another horse battery staple" } }
    }),
  "account.logout": ({ person }) => Effect.map(signIn(person.user), ({ token }) => ({ token })),
  "account.update": () => Effect.succeed({ body: { name: "Countess of Lovelace" } }),
  "account.changePassword": () =>
    Effect.succeed({ body: { currentPassword: password, newPassword: "another horse battery staple" } }),
  "identity.me": nothing,
  "tokens.list": nothing,
  "tokens.issue": () =>
    Effect.map(DateTime.now, (now) => ({
      body: {
        name: "Nightly export",
        permissions: ["automations.read"],
        expiresAt: DateTime.formatIso(DateTime.add(now, { days: 30 }))
      }
    })),
  "tokens.adopt": ({ tenant }) =>
    Effect.gen(function* () {
      const owner = yield* givenPerson(tenant.organization, "owner")
      const { automationToken } = yield* givenAutomationToken({ ...tenant, owner })
      return { id: automationToken.id }
    }),
  "tokens.revoke": ({ tenant }) =>
    Effect.map(givenAutomationToken(tenant), ({ automationToken }) => ({ id: automationToken.id })),
  "organization.get": nothing,
  "organization.update": () => Effect.map(freshText("Bakery"), (name) => ({ body: { name } })),
  "organization.entitlements": nothing,
  "members.list": nothing,
  "members.invite": () =>
    Effect.map(freshText("invited"), (name) => ({ body: { email: `${name}@invited.test`, role: "agent" } })),
  "members.changeRole": onMember({ role: "viewer" }),
  "members.remove": onMember(),
  "chatAccounts.list": nothing,
  "chatAccounts.create": () => Effect.map(newNumber, (body) => ({ body })),
  "chatAccounts.get": onNumber(),
  "chatAccounts.update": onNumber({ displayName: "Corner Bakery, orders" }),
  "chatAccounts.delete": onNumber(),
  "chatAccounts.check": onNumber(),
  "chatAccounts.rotateSecret": ({ tenant }) => Effect.map(givenEndpoint(tenant.organization), ({ id }) => ({ id })),
  "chatAccounts.platformApp": nothing,
  "chatAccounts.connectThroughPlatformApp": () => Effect.map(newSignup, (body) => ({ body })),
  "messageTemplates.list": nothing,
  "messageTemplates.create": ({ tenant }) =>
    Effect.map(Effect.all([givenNumber(tenant.organization), freshText("greeting")]), ([account, name]) => ({
      body: {
        chatAccountId: account.id,
        name: name.replaceAll("-", "_"),
        language: "en",
        category: "utility",
        components: { body: { text: "Your order is ready." } }
      }
    })),
  "messageTemplates.get": onTemplate(),
  "messageTemplates.update": onTemplate({ components: { body: { text: "Your order is here." } } }),
  "messageTemplates.delete": onTemplate(),
  "messageTemplates.submit": onTemplate(),
  "messageTemplates.preview": onTemplate({ values: {} }),
  "messageTemplates.sync": ({ tenant }) =>
    Effect.map(givenNumber(tenant.organization), ({ id }) => ({ body: { chatAccountId: id } })),
  "conversations.list": nothing,
  "conversations.create": ({ tenant }) =>
    Effect.map(
      Effect.all([givenContact(tenant.organization), givenNumber(tenant.organization)]),
      ([contact, account]) => ({ body: { contactId: contact.id, chatAccountId: account.id } })
    ),
  "conversations.counts": nothing,
  "conversations.bulk": ({ tenant }) =>
    Effect.map(givenConversation(tenant.organization), ({ id }) => ({
      body: { ids: [id], action: { type: "assign", assigneeId: tenant.owner.user.id } }
    })),
  "conversations.get": onConversation(),
  "conversations.update": onConversation({ priority: "high" }),
  "conversations.read": onConversation(),
  "conversations.assign": ({ tenant }) =>
    Effect.map(givenConversation(tenant.organization), ({ id }) => ({
      id,
      body: { assigneeId: tenant.owner.user.id }
    })),
  "conversations.snooze": ({ tenant }) =>
    Effect.gen(function* () {
      const { id } = yield* givenConversation(tenant.organization)
      return { id, body: { until: DateTime.formatIso(DateTime.add(yield* DateTime.now, { hours: 1 })) } }
    }),
  "conversations.resolve": onConversation(),
  "conversations.reopen": onConversation(undefined, "resolved"),
  "messages.list": onConversation(),
  "messages.send": onConversation({ kind: "text", text: "We do." }),
  "messages.get": onMessage,
  "messages.retry": ({ tenant }) =>
    Effect.gen(function* () {
      const conversation = yield* givenConversation(tenant.organization)
      const { id: messageId } = yield* givenFailed(tenant.organization, conversation)
      return { id: conversation.id, params: { messageId }, body: {} }
    }),
  "notes.list": onConversation(),
  "notes.create": ({ tenant }) =>
    Effect.map(givenConversation(tenant.organization), ({ id }) => ({
      id,
      body: { text: "Ask Mary.", mentions: [tenant.owner.user.id] }
    })),
  "notes.update": ({ tenant, ...others }) =>
    onNote({ text: "Ask Mary again.", mentions: [tenant.owner.user.id] })({ tenant, ...others }),
  "notes.delete": onNote(),
  "cannedReplies.list": nothing,
  "cannedReplies.create": () => Effect.map(freshText("r"), (shortcut) => ({ body: { shortcut, text: "Hello." } })),
  "cannedReplies.update": onReply({ text: "Good day." }),
  "cannedReplies.delete": onReply(),
  "media.upload": () =>
    Effect.succeed({
      text: "Rye bread: 4.20",
      headers: { "content-type": "text/plain" },
      query: "?filename=prices.txt"
    }),
  "media.download": ({ tenant }) => Effect.map(givenFile(tenant.organization), ({ id }) => ({ id })),
  "automations.list": nothing,
  "automations.create": () => Effect.succeed({ body: { name: "Greet newcomers" } }),
  "automations.get": onAutomation(),
  "automations.update": onAutomation({ name: "Greet everybody" }),
  "automations.delete": onAutomation(),
  "automations.enable": onAutomation(),
  "automations.disable": onAutomation(),
  "contacts.list": nothing,
  "contacts.create": ({ tenant }) =>
    Effect.map(givenTag(tenant.organization), ({ id }) => ({ body: { name: "Marie Curie", tags: [id] } })),
  "contacts.get": onContact(),
  "contacts.update": onContact({ name: "Marie Skłodowska-Curie" }),
  "contacts.delete": onContact(),
  "contacts.upsertByPhone": ({ tenant }) =>
    Effect.map(Effect.all([freshPhone, givenTag(tenant.organization)]), ([phone, tag]) => ({
      id: phone,
      body: { name: "Marie Curie", tags: [tag.id] }
    })),
  "contacts.tag": ({ tenant }) =>
    Effect.map(Effect.all([givenContact(tenant.organization), givenTag(tenant.organization)]), ([contact, tag]) => ({
      id: contact.id,
      body: { tags: [tag.id] }
    })),
  "contacts.untag": ({ tenant }) =>
    Effect.gen(function* () {
      const tag = yield* givenTag(tenant.organization)
      const { id } = yield* givenContact(tenant.organization, { tags: [tag.id] })
      return { id, query: `?tag=${tag.id}` }
    }),
  "contacts.bulk": ({ tenant }) =>
    Effect.map(Effect.all([givenContact(tenant.organization), givenTag(tenant.organization)]), ([contact, tag]) => ({
      body: { change: { action: "tag", tags: [tag.id] }, target: { ids: [contact.id] } }
    })),
  "contacts.merge": ({ tenant }) =>
    Effect.map(
      Effect.all([givenContact(tenant.organization), givenContact(tenant.organization)]),
      ([survivor, other]) => ({ id: survivor.id, body: { contactId: other.id } })
    ),
  "contacts.unmerge": ({ tenant }) =>
    Effect.map(givenMerge(tenant.organization), ({ mergeId, survivor }) => ({ id: survivor.id, body: { mergeId } })),
  "contacts.listDuplicates": onContact(),
  "contacts.dismissDuplicate": ({ tenant }) =>
    Effect.gen(function* () {
      const identity = { kind: "external", value: yield* freshText("known"), source: "api" } as const
      const addedAt = yield* DateTime.now
      const contact = yield* givenContact(tenant.organization, { identities: [{ ...identity, addedAt }] })
      const { id: otherId } = yield* givenDuplicate(tenant.organization, contact)
      return { id: contact.id, params: { otherId } }
    }),
  "contacts.timeline": onContact(),
  "contacts.exportOne": onContact(),
  "contactTransfer.import": () =>
    Effect.succeed({ text: "name\r\nMarie Curie\r\n", headers: { "content-type": "text/csv" } }),
  "contactTransfer.getImport": onImport,
  "contactTransfer.importErrors": onImport,
  "contactTransfer.export": nothing,
  "tags.list": nothing,
  "tags.create": () => Effect.map(freshText("Tag"), (name) => ({ body: { name } })),
  "tags.get": onTag(),
  "tags.update": onTag({ color: "#d29922" }),
  "tags.delete": onTag(),
  "tags.merge": ({ tenant }) =>
    Effect.map(Effect.all([givenTag(tenant.organization), givenTag(tenant.organization)]), ([from, into]) => ({
      id: from.id,
      body: { into: into.id }
    })),
  "contactFields.list": nothing,
  "contactFields.create": () =>
    Effect.map(freshText("f"), (text) => ({
      body: { key: text.replaceAll("-", "").slice(0, 40), name: "City", type: "text" }
    })),
  "contactFields.update": onContactField({ name: "Town" }),
  "contactFields.delete": onContactField(),
  "segments.list": nothing,
  "segments.create": () =>
    Effect.map(freshText("Segment"), (name) => ({ body: { name, filter: { field: "email", op: "is_set" } } })),
  "segments.get": onSegment(),
  "segments.update": onSegment({ filter: { field: "phone", op: "is_set" } }),
  "segments.delete": onSegment(),
  "jobs.list": nothing,
  "jobs.get": onJob,
  "jobs.cancel": onJob,
  "events.list": nothing,
  "audit.list": nothing,
  "docs.handoff": nothing,
  "docs.exchange": ({ person, tenant }) =>
    Effect.map(givenDocsCode(tenant.organization, person), (code) => ({ body: { code: Redacted.value(code) } })),
  "docs.session": ({ person, tenant }) =>
    Effect.map(givenDocsSession(tenant.organization, person), (token) => ({ token })),
  "chatWebhooks.verifyPlatform": verifyPlatform,
  "chatWebhooks.receivePlatform": receivePlatform,
  "chatWebhooks.verifyOwn": verifyOwn,
  "chatWebhooks.receiveOwn": receiveOwn,
  "chatWebhooks.receiveForAccount": receiveForAccount,
  "chatWebhooks.receiveForAccountUnderPrefix": receiveForAccount,
  "chatWebhooks.verifyPlatformUnderPrefix": verifyPlatform,
  "chatWebhooks.receivePlatformUnderPrefix": receivePlatform,
  "chatWebhooks.verifyOwnUnderPrefix": verifyOwn,
  "chatWebhooks.receiveOwnUnderPrefix": receiveOwn,
  "operations.jwks": nothing,
  "operations.health": nothing,
  "operations.ready": nothing
}

/** Which endpoints have a recipe: all of them, or the tests that are generated from the contract have a hole. */
export const described = new Set(Object.keys(recipes))

const needsOrganization = (endpoint: Endpoint) =>
  endpoint.admission === "organization" || endpoint.admission === "only organization"

const needsToken = (endpoint: Endpoint) => needsOrganization(endpoint) || endpoint.admission === "user"

/** A request to the endpoint that this caller may make. What it needs is made first. */
export const validRequest = Effect.fnUntraced(function* (endpoint: Endpoint, caller: Caller) {
  const recipe = recipes[endpoint.id]
  if (recipe === undefined) return yield* Effect.die(new Error(`There is no recipe for a request to ${endpoint.id}.`))
  const { id, params: others = {}, query = "", ...call } = yield* recipe(caller)
  const [, first = "id"] = /:(\w+)/.exec(endpoint.path) ?? []
  const params = { ...(id !== undefined && { [first]: id }), ...others }
  return {
    ...(needsToken(endpoint) && { token: caller.person.token }),
    ...(needsOrganization(endpoint) && { organization: caller.tenant.organization.id }),
    ...call,
    params,
    path: pathWith(endpoint, params) + query
  } satisfies ValidRequest
})

/** The environment of a test over HTTP. */
export type World = Http | Ports
