import {
  Broadcast,
  BroadcastId,
  Broadcasts,
  type ChatAccount,
  ChatAccounts,
  type Contact,
  createContact,
  createMessageTemplate,
  CurrentActor,
  CurrentOrganization,
  toDraft,
  type MessageTemplate,
  MessageTemplates,
  nextId,
  OrganizationId,
  RecipientLedger,
  sendBroadcast,
  submitMessageTemplate,
  syncMessageTemplates,
  transact
} from "@parley/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Line } from "../../chat/provider.ts"

const within =
  (organizationId: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id: OrganizationId.make(organizationId) }),
      Effect.provideService(CurrentActor, { kind: "operator", name: "chaos" })
    )

/** A template that the provider has approved. */
const approvedTemplate = Effect.fnUntraced(function* () {
  const [account] = yield* (yield* ChatAccounts).list({ limit: 1, after: null })
  if (account === undefined) return yield* Effect.die(new Error("No number is connected."))
  const { id } = yield* createMessageTemplate({
    chatAccountId: account.id,
    name: "spring",
    language: "en",
    category: "utility",
    components: { body: { text: "Hello {{1}}, spring is here.", examples: { "1": "Ada" } } }
  })
  yield* submitMessageTemplate({ id })
  const look = Effect.andThen(syncMessageTemplates({ chatAccountId: account.id }), (yield* MessageTemplates).get(id))
  const template = yield* Effect.repeat(Effect.delay(look, "500 millis"), {
    until: ({ status }) => status === "approved"
  })
  return { account, template }
})

/** Messages of an organization over its number, with recipients. */
export interface Campaign {
  readonly organizationId: string
  readonly account: ChatAccount
  readonly template: MessageTemplate
  readonly contacts: ReadonlyArray<Contact>
}

/** A number with this rate, and people to send to. */
export const prepare = ({ organizationId }: Line, recipients: number, perSecond: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { account, template } = yield* approvedTemplate()
    yield* sql`UPDATE chat_accounts SET throughput_per_second = ${perSecond}
      WHERE organization_id = ${organizationId} AND id = ${account.id}`
    const contacts = yield* Effect.forEach(
      Array.from({ length: recipients }, (_, place) => `+49151${String(20_000_000 + place)}`),
      (phone) => createContact({ name: `Reader ${phone.slice(-5)}`, phone }),
      { concurrency: 8 }
    )
    return { organizationId, account, template, contacts } satisfies Campaign
  }).pipe(within(organizationId))

const draft = Effect.fnUntraced(function* ({ account, template }: Campaign, isListed: boolean) {
  const now = yield* DateTime.now
  const id = yield* nextId(BroadcastId)
  const input = {
    name: "Spring",
    chatAccountId: account.id,
    templateId: template.id,
    variables: { "body.1": { kind: "field", field: "name" } },
    audience: {}
  } as const
  const made = toDraft(id, input, now, { kind: "operator", name: "chaos" })
  return new Broadcast({ ...made, frozenAt: isListed ? now : null })
})

/** A broadcast to all of them, whose list is complete, sent immediately. */
export const sendListed = (campaign: Campaign) =>
  Effect.gen(function* () {
    const broadcast = yield* draft(campaign, true)
    const { id } = broadcast
    const listed = campaign.contacts.map((contact) => ({
      contactId: contact.id,
      address: { kind: "phone" as const, value: contact.phone ?? "" },
      variant: null,
      dueAt: null,
      left: null
    }))
    yield* transact(
      Effect.gen(function* () {
        yield* (yield* Broadcasts).insert(broadcast)
        yield* (yield* RecipientLedger).list(id, listed)
      })
    )
    yield* sendBroadcast({ id, ifVersion: null })
    return id
  }).pipe(within(campaign.organizationId))

/** A broadcast to all of them whose list is made while it is sent. */
export const sendUnlisted = (campaign: Campaign) =>
  Effect.gen(function* () {
    const broadcast = yield* draft(campaign, false)
    yield* transact(Effect.flatMap(Broadcasts, (broadcasts) => broadcasts.insert(broadcast)))
    yield* sendBroadcast({ id: broadcast.id, ifVersion: null })
    return broadcast.id
  }).pipe(within(campaign.organizationId))
