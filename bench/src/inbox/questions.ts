import { ChatAccountId, ContactId, type ConversationListRequest, UserId } from "@parley/domain"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { userIdAt, type Visitor } from "../crm/visitors.ts"
import { activeBefore, beyondIds, chatAccountIdAt, labels, numbersEach } from "./seededInbox.ts"

/** The kinds of questions, and how long each may take at its p99, in milliseconds. */
export const kinds = {
  "a conversation by its id": 5,
  "counts of conversations": 20,
  "pages of messages": 5,
  "pages, no filter": 5,
  "pages, one filter": 5,
  "pages, filters together": 5,
  searches: 100,
  "searches with a filter": 100
}
export type Kind = keyof typeof kinds

export type Sort = "-lastActivityAt" | "lastActivityAt" | "-createdAt" | "createdAt"

const sorts: ReadonlyArray<Sort> = ["-lastActivityAt", "lastActivityAt", "-createdAt", "createdAt"]
const mainSorts: ReadonlyArray<Sort> = ["-lastActivityAt", "createdAt"]

/** Parameters of a list of conversations. */
export type Request = Omit<ConversationListRequest, "sort">

/** A page of conversations, with its predecessor. */
export interface ListQuestion {
  readonly kind: Kind
  readonly name: string
  readonly request: Request
  readonly sort: Sort
  readonly after: readonly [string, string] | null
}

/** Another read, and its position. */
export interface OtherQuestion {
  readonly kind: Kind
  readonly name: string
  readonly path: string
  readonly list: string | null
  readonly after: readonly [string, string] | null
}

const middle = [activeBefore(0.5), beyondIds] as const

const inSorts = (kind: Kind, name: string, request: Request, some: ReadonlyArray<Sort>): ReadonlyArray<ListQuestion> =>
  some.flatMap((sort) => [
    { kind, name: `${name}, by ${sort}`, request, sort, after: null },
    { kind, name: `${name}, by ${sort}, from the middle`, request, sort, after: middle }
  ])

const named = (request: Request) =>
  Object.entries(request)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(", ")

/** Values drawn from the stored data. */
interface Known {
  readonly contacts: ReadonlyArray<string>
  readonly codes: ReadonlyArray<string>
  readonly conversations: ReadonlyArray<{ readonly id: string; readonly at: string }>
}

const known = Effect.fnUntraced(function* ({ organizationId }: Visitor) {
  const sql = yield* SqlClient.SqlClient
  const conversations = yield* sql<{ readonly id: string; readonly at: string; readonly contactId: string }>`
    SELECT id, contact_id AS "contactId", to_char((created_at + 0.5 * (last_activity_at - created_at)) AT TIME ZONE 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
    FROM conversations WHERE organization_id = ${organizationId} AND inbound_count >= 40 ORDER BY id LIMIT 20`
  const codes = yield* sql<{ readonly code: string }>`
    SELECT substring(text FROM '\\d{6}$') AS code FROM messages WHERE organization_id = ${organizationId}
      AND text ~ '\\d{6}$' LIMIT 3`
  return {
    conversations,
    contacts: conversations.slice(0, 3).map(({ contactId }) => contactId),
    codes: codes.map(({ code }) => code)
  } satisfies Known
})

const single = (place: number, { contacts }: Known): ReadonlyArray<Request> => [
  ...(["open", "pending", "snoozed", "resolved"] as const).map((status) => ({ status: [status] })),
  { status: ["open", "pending"] },
  ...(["me", "none", UserId.make(userIdAt(place, 3))] as const).map((assignee) => ({ assignee })),
  { unread: true },
  { unread: false },
  ...(["none", "low", "urgent"] as const).map((priority) => ({ priority: [priority] })),
  { priority: ["high", "urgent"] },
  ...labels.map(([label]) => ({ label: [label] })),
  { label: ["no such label"] },
  ...Array.from({ length: numbersEach }, (_, number) => ({
    chatAccountId: ChatAccountId.make(chatAccountIdAt(place, number))
  })),
  ...contacts.map((contactId) => ({ contactId: ContactId.make(contactId) }))
]

const together = (place: number): ReadonlyArray<Request> => [
  { status: ["open"], assignee: "me" },
  { status: ["open", "pending"], assignee: "none" },
  { status: ["open"], unread: true },
  { status: ["open"], label: ["billing"] },
  { assignee: "me", unread: true },
  { label: ["vip"], unread: true },
  { status: ["pending"], priority: ["urgent"] },
  { status: ["open"], chatAccountId: ChatAccountId.make(chatAccountIdAt(place, 2)), assignee: "none" },
  { status: ["resolved"], label: ["press"] },
  { unread: true, label: ["legal"] },
  { status: ["snoozed"], assignee: UserId.make(userIdAt(place, 5)), priority: ["low", "medium"] }
]

const searches = ({ codes }: Known): ReadonlyArray<string> => [
  "order",
  "please",
  "theremin",
  "espresso machine",
  "Espresso refund",
  "esp",
  "t",
  "xylophone",
  "jacket headphones",
  ...codes
]

const filteredSearches: ReadonlyArray<Request> = [
  { q: "order", status: ["open"] },
  { q: "theremin", assignee: "none" },
  { q: "garden chairs", unread: true },
  { q: "please", label: ["vip"] },
  { q: "theremin", label: ["press"] }
]

/** All queries of the lists of an organization. */
export const questionsOf = Effect.fnUntraced(function* (visitor: Visitor) {
  const { place } = visitor
  const drawn = yield* known(visitor)
  const lists: ReadonlyArray<ListQuestion> = [
    ...inSorts("pages, no filter", "everything", {}, sorts),
    ...single(place, drawn).flatMap((request) => inSorts("pages, one filter", named(request), request, sorts)),
    ...together(place).flatMap((request) => inSorts("pages, filters together", named(request), request, mainSorts)),
    ...searches(drawn).flatMap((q) => inSorts("searches", q, { q }, mainSorts)),
    ...filteredSearches.flatMap((request) => inSorts("searches with a filter", named(request), request, mainSorts))
  ]
  const others = [
    ...Array.from({ length: 5 }, (): OtherQuestion => ({
      kind: "counts of conversations",
      name: "counts",
      path: "/api/v1/conversations/counts",
      list: null,
      after: null
    })),
    ...drawn.conversations.flatMap(({ at, id }): ReadonlyArray<OtherQuestion> => {
      const path = `/api/v1/conversations/${id}`
      const messages = { kind: "pages of messages", path: `${path}/messages`, list: `messages/${id}` } as const
      return [
        { kind: "a conversation by its id", name: id, path, list: null, after: null },
        { ...messages, name: `messages of ${id}`, after: null },
        { ...messages, name: `messages of ${id}, from the middle`, after: [at, beyondIds] }
      ]
    })
  ]
  return { lists, others }
})

/** Parameters of a list request. */
export const parametersOf = ({ request, sort }: ListQuestion) => {
  const parameters = new URLSearchParams([
    ["limit", "50"],
    ["sort", sort]
  ])
  for (const [name, value] of Object.entries(request)) {
    for (const each of Array.isArray(value) ? value : [value]) parameters.append(name, String(each))
  }
  return parameters
}
