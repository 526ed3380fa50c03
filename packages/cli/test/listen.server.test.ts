import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { CurrentActor, CurrentOrganization, Outbox, transact } from "@parley/domain/kernel"
import { Organization, User } from "@parley/domain/platform"
import { ParleyWebhooks } from "@parley/http-adapter/client"
import { Effect, Fiber, FileSystem, Queue, Schema } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { asService } from "./support/asService.ts"
import { commandLine, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"
import { serviceOn } from "./support/inProcess.ts"
import { chosenPassword } from "./support/ownPassword.ts"
import { shakyWayTo } from "./support/shakyWay.ts"

const UserWithPassword = Schema.Struct({ ...User.fields, password: Schema.String })

interface Received {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

/** A user's own program on this machine. */
const receiver = Effect.gen(function* () {
  const received = yield* Queue.unbounded<Received>()
  const url = yield* Effect.acquireRelease(
    Effect.callback<{ readonly address: string; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        void text(request).then((body) => {
          Queue.offerUnsafe(received, { headers: request.headers, body })
          response.writeHead(204).end()
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ address: `http://127.0.0.1:${port}/hook`, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )
  return { received, url: url.address }
})

describe("parley listen", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("forwards what happens to one's own machine, signed, and goes on after a cut", () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const environment = yield* OnServer
        const { parley: database } = commandLine(environment)
        const organization = yield* printed(Organization, yield* database("orgs", "create", "Acme", "--json"))
        const created = yield* database("users", "create", "ann@listen.example", "--json")
        const { password } = yield* printed(UserWithPassword, created)
        yield* database("members", "add", "--org", "acme", "ann@listen.example", "--role", "owner")
        const way = yield* shakyWayTo(yield* serviceOn(environment))
        const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-cli-" })
        const { parley, parleyWithInput } = commandLine({ PARLEY_CONFIG_DIR: folder, PARLEY_SERVER: way.address })
        const login = yield* parleyWithInput(
          `${password}\n${chosenPassword}\n`,
          "login",
          "--new-password",
          "--email",
          "ann@listen.example"
        )
        assert.strictEqual(login.code, 0, login.err)

        const tell = (tagId: string) =>
          asService(
            environment,
            Effect.flatMap(Outbox, (outbox) => transact(outbox.append({ type: "tag.created", tagId }))).pipe(
              Effect.provideService(CurrentOrganization, { id: organization.id }),
              Effect.provideService(CurrentActor, { kind: "operator", name: "test" })
            )
          )
        const [first = "", second = "", third = ""] = [1, 2, 3].map(
          (number) => `01934b78-4c50-7d77-8f91-60718293041${number}`
        )
        const { received, url } = yield* receiver
        const take = Effect.gen(function* () {
          const request = yield* Queue.take(received)
          const [file] = yield* Effect.orDie(fs.readDirectory(`${folder}/listen`))
          const secret = yield* fs.readFileString(`${folder}/listen/${file}`)
          const event = yield* Effect.promise(() => ParleyWebhooks.verify(request, { secrets: secret.trim() }))
          return { id: event.id, tagId: event.type === "tag.created" ? event.data.tagId : null }
        })

        yield* tell(first)
        const listening = ["listen", "--events", "tag.*", "--since", "10m", "--forward", url]
        const one = yield* Effect.forkScoped(parley(...listening))
        assert.strictEqual((yield* take).tagId, first)
        yield* tell(second)
        assert.strictEqual((yield* take).tagId, second)
        yield* way.cut
        yield* tell(third)
        yield* way.mend
        const last = yield* take
        assert.strictEqual(last.tagId, third)
        yield* Fiber.interrupt(one)
        assert.deepStrictEqual(yield* fs.readDirectory(`${folder}/listen`), [organization.id])
        assert.strictEqual((yield* fs.stat(`${folder}/listen/${organization.id}`)).mode & 0o777, 0o600)

        // On the database, with the secret of this machine again.
        const onDatabase = commandLine({ ...environment, PARLEY_CONFIG_DIR: folder })
        yield* Effect.forkScoped(onDatabase.parley(...listening))
        const again = [yield* take, yield* take, yield* take]
        assert.deepStrictEqual(
          again.map(({ tagId }) => tagId),
          [first, second, third]
        )
        assert.strictEqual(again[2]?.id, last.id)
      }).pipe(Effect.provide(NodeServices.layer), Effect.scoped)
    )

    it.effect("reports invalid input before it starts", () =>
      Effect.gen(function* () {
        const { parley } = commandLine(yield* OnServer)
        for (const [words, input] of [
          [["listen", "--forward", "ftp://127.0.0.1/"], /Expected an address, for example http:/],
          [["listen", "--since", "soon"], /Expected a duration such as 10m/],
          [["events", "tail", "--since", "10m", "--after", "x"], /either --after with a cursor, or --since/]
        ] as const) {
          const refused = yield* parley(...words)
          assert.match(refused.err, input)
          assert.strictEqual(refused.code, 2)
        }
      })
    )
  })
})
