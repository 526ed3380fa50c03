import { assert, describe, layer } from "@effect/vitest"
import { aManifest } from "@parley/testkit"
import { Effect } from "effect"
import { createServer } from "node:http"
import { commandLine } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"

const pages: Readonly<Record<string, string>> = {
  "/plugin.json": JSON.stringify({
    ...aManifest,
    publisher: { name: "Acme", url: "http://127.0.0.1" },
    baseUrl: "http://127.0.0.1"
  }),
  "/types.json": JSON.stringify({ ...aManifest, key: 7, permissions: {} }),
  "/page.html": "<!doctype html><p>Hello",
  "/deep.json": `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  "/endless.json": "x".repeat(2_000_000)
}

/** A server with good and bad manifests. */
const serving = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly close: Effect.Effect<void> }>((resume) => {
    const server = createServer((request, response) => {
      const page = pages[request.url ?? ""]
      if (page === undefined) response.writeHead(302, { location: "/plugin.json" })
      response.end(page)
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const close = Effect.callback<void>((closed) => {
        server.close(() => closed(Effect.void))
        server.closeAllConnections()
      })
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close }))
    })
  }),
  ({ close }) => close
)

describe("the catalogue of plugins, at the command line", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect("accepts a valid manifest and reports each error of an invalid one with its place", () =>
      Effect.gen(function* () {
        const { parley } = commandLine({ ...(yield* OnServer), PARLEY_WEBHOOK_ALLOW_LOOPBACK: "on" })
        const { url } = yield* serving
        for (const [path, input] of [
          ["/types.json", "parley: /key: Expected a text\nparley: /permissions: Expected a list"],
          ["/page.html", "parley: Expected valid JSON"],
          ["/deep.json", "parley: Expected JSON with at most 32 nested levels"],
          ["/moved.json", "parley: The manifest could not be read: the answer has the status 302."],
          [
            "/endless.json",
            "parley: The manifest could not be read: the answer did not come whole, or is longer than 64 KiB."
          ]
        ] as const) {
          const { code, err } = yield* parley("plugins", "catalogue", "add", `${url}${path}`)
          assert.deepStrictEqual([code, err], [1, input], path)
        }
        const added = yield* parley("plugins", "catalogue", "add", `${url}/plugin.json`)
        assert.deepStrictEqual([added.code, added.err], [0, "acme-loyalty 1.4.0 is in the catalogue."])
      }).pipe(Effect.scoped)
    )
  })
})
