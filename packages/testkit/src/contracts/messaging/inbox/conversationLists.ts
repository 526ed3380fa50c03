import { assert } from "@effect/vitest"
import { UserId } from "@parley/domain/kernel"
import {
  ChatAccountId,
  type Conversation,
  type ConversationQuery,
  type ConversationSort,
  type ConversationStatus,
  type Priority
} from "@parley/domain/messaging"
import { Arbitrary, Effect } from "effect"
import { among } from "../../../fixtures/drawing.ts"
import { runContract, type StorageContract } from "../../contract.ts"
import { all, evening, givenContact, holds, idsOf, inNewOrganization } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import {
  everything,
  givenConversation,
  givenMessage,
  insertConversations,
  keyOf,
  listedConversations,
  minutes,
  newConversation,
  saveConversations
} from "./given.ts"

const statuses: ReadonlyArray<ConversationStatus> = ["open", "pending", "snoozed", "resolved"]
const priorities: ReadonlyArray<Priority> = ["none", "low", "medium", "high", "urgent"]
const labels = ["VIP", "vip", "with 'quotes' \" and \\", "{a,b}"]
const sorts: ReadonlyArray<ConversationSort> = [
  "-lastActivityAt",
  "lastActivityAt",
  "-createdAt",
  "createdAt",
  "waitingSince",
  "priority"
]

/** Message texts. Some texts share words, and some words share a prefix. */
const texts = [
  "Brot und Käse",
  "two breads, please",
  "BREAD!",
  "cheese-bread 2kg",
  "käsebrot",
  "Привет, хлеб",
  "我想面包"
]

/** Search condition in the form of the domain. */
const searches = [
  ["bread"],
  ["breads"],
  ["breakfast"],
  ["br"],
  ["br", "ka"],
  ["2"],
  ["kase"],
  ["面包"],
  ["我想", "想面"],
  ["想"],
  ["包"],
  ["хле", "прив"],
  ["cheese", "bread"],
  ["two", "kase"],
  ["read"]
]

/** Expected matches of searches and texts, written manually. */
const finds = (words: ReadonlyArray<string>, text: string): boolean => {
  const input: Readonly<Record<string, ReadonlyArray<string>>> = {
    "Brot und Käse": ["brot", "und", "kase"],
    "two breads, please": ["two", "breads", "please"],
    "BREAD!": ["bread"],
    "cheese-bread 2kg": ["cheese", "bread", "2kg"],
    käsebrot: ["kasebrot"],
    我想面包: ["我想", "想面", "面包", "包"],
    "Привет, хлеб": ["привет", "хлеб"]
  }
  return words.every((word) => (input[text] ?? []).some((each) => each.startsWith(word)))
}

interface Talk {
  readonly conversation: Conversation
  readonly texts: ReadonlyArray<string>
}

const orNull = <A>(values: ReadonlyArray<A>) => among<A | null>([null, null, null, ...values])

const at = <A>(values: ReadonlyArray<A>, place: number): A => values[place % values.length] ?? assert.fail()

/** Creates conversations of all kinds. Many have equal times. */
const someTalks = Effect.fnUntraced(function* (count: number) {
  const people = yield* Effect.replicateEffect(givenContact(), 7)
  const accounts = Array.from({ length: 3 }, () => freshId(ChatAccountId))
  const members = [freshId(UserId), freshId(UserId)]
  const unresolved = new Set<string>()
  const talks = Array.from({ length: count }, (_, n): Talk => {
    const contactId = at(people, n * 5 + Math.floor(n / 7)).id
    const chatAccountId = at(accounts, n + Math.floor(n / 5))
    const pair = `${contactId} ${chatAccountId}`
    const isFree = !unresolved.has(pair)
    if (isFree) unresolved.add(pair)
    const conversation = newConversation({
      contactId,
      chatAccountId,
      status: isFree ? at(statuses, n) : "resolved",
      priority: at(priorities, n * 3),
      assigneeId: n % 3 === 0 ? null : at(members, n),
      labels: labels.filter((_, place) => (n >> place) % 2 === 1),
      inboundCount: n % 4,
      readCount: n % 2,
      waitingSince: isFree && at(statuses, n) !== "resolved" && n % 3 > 0 ? minutes(n % 5) : null,
      lastActivityAt: minutes((n * 7) % 11),
      createdAt: minutes((n * 5) % 13)
    })
    return { conversation, texts: texts.filter((_, place) => (n + place) % 5 === 0) }
  })
  yield* Effect.orDie(insertConversations(talks.map(({ conversation }) => conversation)))
  for (const { conversation, texts: input } of talks) {
    for (const text of [...input, null]) yield* givenMessage(conversation, { text })
  }
  return { talks, accounts, members, people }
})

const isMet = (query: ConversationQuery, { conversation, texts: input }: Talk): boolean => {
  const {
    assignee,
    awaitingReply,
    chatAccountId,
    contactId,
    labels: marked,
    priorities: wanted,
    statuses: within,
    unread,
    words
  } = query
  return [
    within === null || within.includes(conversation.status),
    assignee === null ||
      (assignee === "none" ? conversation.assigneeId === null : conversation.assigneeId === assignee),
    unread === null || conversation.inboundCount > conversation.readCount === unread,
    awaitingReply === null || (conversation.waitingSince !== null) === awaitingReply,
    wanted === null || wanted.includes(conversation.priority),
    marked === null || conversation.labels.some((label) => marked.includes(label)),
    chatAccountId === null || conversation.chatAccountId === chatAccountId,
    contactId === null || conversation.contactId === contactId,
    words === null || input.some((text) => finds(words, text))
  ].every(Boolean)
}

/** Rank lists have the rank as first key. Only the rank of waiting conversations sorts the earliest time first. */
const comesAfter = (query: ConversationQuery, one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean => {
  const [rank = "", otherRank = ""] = one.length === 3 ? [one[0], other[0]] : []
  if (rank !== otherRank) return rank > otherRank
  const isDown =
    query.sort === "priority" || (query.sort === "waitingSince" ? rank === "1" : query.sort.startsWith("-"))
  const [time = "", id = ""] = (isDown ? other : one).slice(-2)
  const [otherTime = "", otherId = ""] = (isDown ? one : other).slice(-2)
  return time === otherTime ? id > otherId : time > otherTime
}

const expectedOf = (talks: ReadonlyArray<Talk>, query: ConversationQuery): ReadonlyArray<Conversation> =>
  talks
    .filter((talk) => isMet(query, talk))
    .map(({ conversation }) => conversation)
    .toSorted((one, other) => (comesAfter(query, keyOf(query, one), keyOf(query, other)) ? 1 : -1))

const idsListed = (rows: ReadonlyArray<{ readonly conversation: Conversation }>) =>
  rows.map(({ conversation }) => conversation.id)

/** Contract of the lists of `Conversations`. */
export const conversationLists: StorageContract = {
  port: "Conversations in lists",
  promises: (it) => {
    it.effect(
      "hold what meets the query, in its order, from any key on",
      () =>
        inNewOrganization(
          Effect.gen(function* () {
            const { accounts, members, people, talks } = yield* someTalks(48)
            yield* holds(
              Arbitrary.all({
                assignee: orNull<UserId | "none">([...members, "none"]),
                awaitingReply: orNull([true, false]),
                chatAccountId: orNull(accounts),
                contactId: orNull(idsOf(people)),
                from: orNull(talks),
                labels: orNull<ReadonlyArray<string>>([...labels.map((label) => [label]), labels, []]),
                limit: among([1, 4, 1_000]),
                priorities: orNull([["high", "low"], ["none"], []] as ReadonlyArray<ReadonlyArray<Priority>>),
                sort: among(sorts),
                statuses: orNull<ReadonlyArray<ConversationStatus>>([
                  ["open"],
                  ["resolved"],
                  ["open", "pending"],
                  ["resolved", "snoozed"],
                  statuses
                ]),
                unread: orNull([true, false]),
                words: orNull(searches)
              }),
              Effect.fnUntraced(function* ({ from, limit, ...query }) {
                const after = from === null ? null : keyOf(query, from.conversation)
                const expected = expectedOf(talks, query)
                  .filter((each) => after === null || comesAfter(query, keyOf(query, each), after))
                  .slice(0, limit)
                assert.deepStrictEqual(idsListed(yield* listedConversations(query, { limit, after })), idsOf(expected))
              }),
              { runs: 160, size: 20, seed: "conversations", maxShrinks: 100 }
            )
          })
        ),
      30_000
    )

    it.effect("supports each filter and each order separately", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const { accounts, members, people, talks } = yield* someTalks(30)
          const parts: ReadonlyArray<Partial<ConversationQuery>> = [
            ...statuses.map((status) => ({ statuses: [status] })),
            ...["none" as const, ...members, freshId(UserId)].map((assignee) => ({ assignee })),
            ...[true, false].map((unread) => ({ unread })),
            ...[true, false].map((awaitingReply) => ({ awaitingReply })),
            ...priorities.map((priority) => ({ priorities: [priority] })),
            ...[...labels, "Vip", "V"].map((label) => ({ labels: [label] })),
            ...[...accounts, freshId(ChatAccountId)].map((chatAccountId) => ({ chatAccountId })),
            ...idsOf(people).map((contactId) => ({ contactId })),
            ...searches.map((words) => ({ words })),
            ...sorts.map((sort) => ({ sort }))
          ]
          for (const part of parts) {
            const query = { ...everything, ...part }
            const found = yield* listedConversations(query, all)
            assert.deepStrictEqual(idsListed(found), idsOf(expectedOf(talks, query)), JSON.stringify(part))
          }
        })
      )
    )

    it.effect("say whom each conversation is with", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const named = yield* givenContact({ name: "Zoë", phone: "+4915112345670" })
          const bare = yield* givenContact({ name: null })
          yield* givenConversation({ contactId: named.id, lastActivityAt: minutes(2) })
          yield* givenConversation({ contactId: bare.id, lastActivityAt: minutes(1) })
          const rows = yield* listedConversations(everything, all)
          assert.deepStrictEqual(
            rows.map(({ contact }) => ({ ...contact })),
            [
              { id: named.id, name: "Zoë", phone: "+4915112345670" },
              { id: bare.id, name: null, phone: null }
            ]
          )
        })
      )
    )

    it.effect("show each conversation that stays where it is once, while others come and move", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const there: Array<Conversation> = []
          for (let n = 0; n < 9; n += 1) there.push(yield* givenConversation({ lastActivityAt: minutes(n) }))
          const [oldest, , moving] = there
          if (oldest === undefined || moving === undefined) return assert.fail()
          const seen: Array<string> = []
          let after: ReadonlyArray<string> | null = null
          for (let page = 0; page < 5; page += 1) {
            const rows: ReadonlyArray<{ readonly conversation: Conversation }> = yield* listedConversations(
              everything,
              {
                limit: 3,
                after
              }
            )
            seen.push(...idsListed(rows))
            const last = rows.at(-1)
            if (last === undefined) break
            after = keyOf(everything, last.conversation)
            if (page === 0) yield* saveConversations([newConversation({ ...moving, lastActivityAt: evening })])
            yield* givenConversation({ lastActivityAt: evening })
          }
          const stayed = idsOf(there).filter((id) => id !== moving.id)
          assert.deepStrictEqual(seen, stayed.toReversed())
        })
      )
    )
  }
}

/** Checks an adapter against what every `Conversations` promises of lists. */
export const conversationListsContract = runContract(conversationLists)
