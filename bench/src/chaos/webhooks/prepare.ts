import {
  ContactId,
  createContact,
  CurrentActor,
  CurrentOrganization,
  ChatAccountId,
  Message,
  MessageId,
  Messages,
  nextId,
  openConversation,
  OrganizationId,
  transact,
  updateContact
} from "@parley/domain"
import { type DateTime, Effect, Array as List } from "effect"
import { connectLines, type ConnectedLine, type Line, type Provider } from "../../chat/provider.ts"
import { seed } from "../../tenants/seed.ts"
import type { Person } from "./people.ts"

/** A message sent before the first report. For half of them the provider's id is unknown. */
export interface Outbound {
  readonly id: string
  readonly providerId: string
  readonly line: number
  readonly person: number
  readonly phone: string
  readonly status: "in_doubt" | "sent"
}

/** A conversation that is open before anything is delivered. */
interface Talk {
  readonly line: number
  readonly person: number
  readonly phone: string
  readonly id: Effect.Success<ReturnType<typeof openConversation>>["id"]
}

const inside =
  (organizationId: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(CurrentOrganization, { id: OrganizationId.make(organizationId) }),
      Effect.provideService(CurrentActor, { kind: "operator", name: "chaos" })
    )

/** Creates the known contacts in every organization, with an open conversation over each of its numbers. */
const openTalks = Effect.fnUntraced(function* (lines: ReadonlyArray<ConnectedLine>, people: ReadonlyArray<Person>) {
  const talks: Array<Talk> = []
  const organizations = [...new Set(lines.map(({ organizationId }) => organizationId))]
  for (const organizationId of organizations) {
    for (const [person, { name, phone, standing }] of people.entries()) {
      if (standing === "stranger" || phone === null) continue
      const { id: contactId, version } = yield* createContact({ name, phone: `+${phone}` }).pipe(inside(organizationId))
      if (standing === "blocked") {
        yield* updateContact({ id: ContactId.make(contactId), blocked: true, ifVersion: version }).pipe(
          inside(organizationId)
        )
        continue
      }
      for (const [line, { chatAccountId, organizationId: owner }] of lines.entries()) {
        if (owner !== organizationId) continue
        const opening = openConversation({ contactId, chatAccountId: ChatAccountId.make(chatAccountId) })
        const { id } = yield* opening.pipe(inside(organizationId))
        talks.push({ line, person, phone, id })
      }
    }
  }
  return talks
})

const write = Effect.fnUntraced(function* (number: number, talk: Talk, at: DateTime.Utc) {
  const id = yield* nextId(MessageId)
  const isInDoubt = number % 2 === 0
  const providerId = `wamid.out.${number}`
  const message = new Message({
    id,
    conversationId: talk.id,
    direction: "outbound",
    kind: "text",
    text: `It is on its way: ${number}`,
    media: null,
    template: null,
    interactive: null,
    location: null,
    contacts: null,
    replyToId: null,
    recipient: null,
    author: { kind: "operator", id: "chaos" },
    status: isInDoubt ? "in_doubt" : "sent",
    error: null,
    providerMessageId: isInDoubt ? null : providerId,
    at,
    sentAt: isInDoubt ? null : at,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: at
  })
  const { line, person, phone } = talk
  const outbound: Outbound = { id, providerId, line, person, phone, status: isInDoubt ? "in_doubt" : "sent" }
  return { message, outbound }
})

const mostAtOnce = 500

/** Tenants with numbers, known people, and this number of messages to them at this time. */
export const prepare = Effect.fnUntraced(function* (
  provider: Provider,
  organizations: number,
  own: ReadonlyArray<Line>,
  people: ReadonlyArray<Person>,
  messages: number,
  at: DateTime.Utc
) {
  const population = yield* seed({ organizations, sessionsEach: 1, automations: organizations })
  const lines = yield* connectLines(provider, own)
  const talks = yield* openTalks(lines, people)
  const written = yield* Effect.forEach(
    Array.from({ length: talks.length === 0 ? 0 : messages }, (_, number) => number),
    (number) => write(number, List.getUnsafe(talks, number % talks.length), at)
  )
  for (const [place, line] of lines.entries()) {
    const mine = written.filter(({ outbound }) => outbound.line === place).map(({ message }) => message)
    for (const chunk of List.chunksOf(mine, mostAtOnce)) {
      yield* transact(
        Effect.flatMap(Messages, (port) => port.insert(ChatAccountId.make(line.chatAccountId), chunk))
      ).pipe(inside(line.organizationId))
    }
  }
  return { callers: population.callers, lines, outbound: written.map(({ outbound }) => outbound) }
})
