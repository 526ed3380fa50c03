import { assert, describe, it } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { Conversations, sendMessage } from "@parley/domain/messaging"
import { asOperatorOf, givenConversation, givenOrganization, type Of } from "@parley/testkit"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { givenNodes } from "./support/nodes.ts"
import { somebodyWaits } from "./support/somebodyWaits.ts"

const slow = 60_000

const write = (organization: Of, { id }: { readonly id: Parameters<typeof sendMessage>[0]["id"] }) =>
  sendMessage({ id, kind: "text", text: "Hello" }).pipe(asOperatorOf(organization))

/** Number of messages that each transaction stored, sorted. */
const messagesPerTransaction = Effect.fnUntraced(function* ({ id }: Of) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly count: number }>`
    SELECT count(*)::integer AS count FROM messages WHERE organization_id = ${id} AND direction = 'outbound'
    GROUP BY xmin ORDER BY count`
  return rows.map(({ count }) => count)
})

describe("messages that are written at the same time", () => {
  it.effect(
    "share a transaction for each organization",
    () =>
      Effect.gen(function* () {
        const [node] = yield* givenNodes(1)
        yield* Effect.gen(function* () {
          const organizations = [
            yield* givenOrganization({ plan: "scale" }),
            yield* givenOrganization({ plan: "scale" })
          ]
          const targets = yield* Effect.forEach(organizations, (organization) =>
            Effect.map(Effect.replicateEffect(givenConversation(organization), 5), (conversations) =>
              conversations.map((conversation) => ({ organization, conversation }))
            )
          )
          yield* Effect.forEach(targets.flat(), ({ conversation, organization }) => write(organization, conversation), {
            concurrency: "unbounded"
          })
          for (const organization of organizations) {
            assert.deepStrictEqual(yield* messagesPerTransaction(organization), [5])
          }
        }).pipe(Effect.provide(node ?? assert.fail()))
      }),
    slow
  )

  it.effect(
    "do not wait for a conversation that another transaction has locked",
    () =>
      Effect.gen(function* () {
        const [node] = yield* givenNodes(1)
        yield* Effect.gen(function* () {
          const organization = yield* givenOrganization({ plan: "scale" })
          const [locked, free] = [yield* givenConversation(organization), yield* givenConversation(organization)]
          const held = yield* Deferred.make<void>()
          const go = yield* Deferred.make<void>()
          const holder = yield* Effect.forkChild(
            transact(
              Effect.gen(function* () {
                yield* (yield* Conversations).lock([locked.id])
                yield* Deferred.succeed(held, undefined)
                yield* Deferred.await(go)
              })
            ).pipe(asOperatorOf(organization))
          )
          yield* Deferred.await(held)
          const waiting = yield* Effect.forkChild(write(organization, locked))
          yield* write(organization, free)
          yield* somebodyWaits
          assert.deepStrictEqual(yield* messagesPerTransaction(organization), [1])
          yield* write(organization, free)
          yield* Deferred.succeed(go, undefined)
          yield* Fiber.join(waiting)
          yield* Fiber.join(holder)
          assert.deepStrictEqual(yield* messagesPerTransaction(organization), [1, 1, 1])
        }).pipe(Effect.provide(node ?? assert.fail()))
      }),
    slow
  )

  it.effect(
    "are each stored alone if the common transaction fails",
    () =>
      Effect.gen(function* () {
        const [node] = yield* givenNodes(1)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const organization = yield* givenOrganization({ plan: "scale" })
          const conversations = yield* Effect.replicateEffect(givenConversation(organization), 3)
          // Fails every transaction that stores more than one message.
          yield* sql`CREATE FUNCTION refuse_groups() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF (SELECT count(*) FROM added) > 1 THEN RAISE EXCEPTION 'too many'; END IF; RETURN NULL; END $$`
          yield* sql`CREATE TRIGGER refuse_groups AFTER INSERT ON messages REFERENCING NEW TABLE AS added
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_groups()`
          // The conversations have one account each, so each statement stores one message of a group.
          const [first, second, third] = conversations
          assert(first !== undefined && second !== undefined && third !== undefined)
          const { chatAccountId } = first
          const twin = yield* givenConversation(organization, { chatAccountId })
          const written = yield* Effect.forEach([first, twin, second, third], (each) => write(organization, each), {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual(
            written.map(({ conversationId }) => conversationId),
            [first.id, twin.id, second.id, third.id]
          )
          assert.deepStrictEqual(yield* messagesPerTransaction(organization), [1, 1, 1, 1])
        }).pipe(Effect.provide(node ?? assert.fail()))
      }),
    slow
  )
})
