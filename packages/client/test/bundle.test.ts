import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createContext, runInContext } from "node:vm"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { assert, describe, it } from "vitest"

const source = fileURLToPath(new URL("../src/", import.meta.url))

const files: Readonly<Record<string, string>> = {
  "@parley/client": `${source}index.ts`,
  "@parley/client/areas": `${source}areas.ts`
}

/** Bundles a program as an application for browsers does. */
const bundle = async (program: string, format: "esm" | "iife" = "iife") => {
  const build = await rolldown({
    input: "program",
    platform: "browser",
    onLog: (_, { message }) => assert.fail(message),
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === "program" ? id : (files[id] ?? null)),
        load: (id) => (id === "program" ? program : null)
      }
    ]
  })
  try {
    const { output } = await build.generate({ format, name: "program", minify: true })
    assert.lengthOf(output, 1)
    const [{ code, imports, moduleIds }] = output
    return { code, imports, moduleIds, gzip: gzipSync(code).length, brotli: brotliCompressSync(code).length }
  } finally {
    await build.close()
  }
}

const firstPage = `
  import { createParleyOf } from "@parley/client"
  import { contacts } from "@parley/client/areas"
  export const parley = createParleyOf({ contacts }, { baseUrl: "https://parley.test", token: "a token" })
`

const everything = `
  export * as client from "@parley/client"
  export * as areas from "@parley/client/areas"
`

/** Common globals of browsers, workers and Node. */
const web = [
  "AbortController",
  "Blob",
  "crypto",
  "clearTimeout",
  "fetch",
  "Headers",
  "ReadableStream",
  "Response",
  "setTimeout",
  "TextDecoder",
  "Uint8Array",
  "URLSearchParams"
]

describe("a bundle of the client", () => {
  it("has at most 6 kB for the calls of one area, compressed with gzip", async () => {
    const { code, gzip } = await bundle(firstPage)
    assert.isAtMost(gzip, 6_000)
    assert.include(code, "/api/v1/contacts")
    for (const other of ["/api/v1/workflows", "event-stream"]) assert.notInclude(code, other)
  })

  it("has at most 12 kB for everything, compressed with gzip", async () => {
    const { brotli, gzip } = await bundle(everything)
    assert.isAtMost(gzip, 12_000)
    assert.isAtMost(brotli, gzip)
  })

  it("needs nothing but the client and what the web has", async () => {
    const { code, imports, moduleIds } = await bundle(everything)
    assert.deepStrictEqual(imports, [])
    const foreign = moduleIds.filter((id) => !id.startsWith(source))
    assert.sameMembers(foreign, ["program", "\0rolldown/runtime.js"])
    const page = createContext(Object.fromEntries(web.map((name) => [name, Reflect.get(globalThis, name)])))
    runInContext(code, page)
    page["answer"] = async (url: string) =>
      new Response(JSON.stringify({ url }), { headers: { "content-type": "application/json" } })
    const visit = `program.client.createParley({ baseUrl: "https://parley.test", fetch: answer }).throwing().contacts.create({ name: "Ada" })`
    const answer: unknown = await runInContext(visit, page)
    assert.deepStrictEqual(Object.entries(Object(answer)), [["url", "https://parley.test/api/v1/contacts"]])
  })
})

/** The oldest Node that the client supports, if the machine has it. */
const oldNode = (spawnSync("which", ["-a", "node"], { encoding: "utf8" }).stdout ?? "")
  .split("\n")
  .find((path) => path !== "" && spawnSync(path, ["--version"], { encoding: "utf8" }).stdout.startsWith("v20."))

const onOldNode = `
  import { createParley } from "@parley/client"
  const stream = "id: e1\\ndata: {\\"position\\":1}\\n\\n"
  const fetch = async (url, { body, duplex, headers }) => {
    if (headers.get("accept") === "text/event-stream") return new Response(stream, { headers: { "content-type": "text/event-stream" } })
    if (body instanceof ReadableStream) return Response.json({ duplex, text: await new Response(body).text() })
    return Response.json({ key: headers.get("idempotency-key").length, body: JSON.parse(body) })
  }
  const parley = createParley({ baseUrl: "https://parley.test", fetch }).throwing()
  const made = await parley.tags.create({ name: "VIP" })
  const sent = await parley.contactTransfer.import({ body: new Blob(["name"]).stream() })
  for await (const { position } of parley.events.follow()) {
    console.log(JSON.stringify([made, sent, position]))
    break
  }
`

describe("the client on Node 20", () => {
  it("calls, uploads and follows", async ({ skip }) => {
    if (oldNode === undefined) return skip("This machine has no Node 20.")
    const { code } = await bundle(onOldNode, "esm")
    const folder = mkdtempSync(join(tmpdir(), "parley-client-"))
    try {
      writeFileSync(join(folder, "program.mjs"), code)
      const { stderr, stdout } = spawnSync(oldNode, [join(folder, "program.mjs")], { encoding: "utf8" })
      assert.strictEqual(stderr, "")
      assert.deepStrictEqual(JSON.parse(stdout), [
        { key: 32, body: { name: "VIP" } },
        { duplex: "half", text: "name" },
        1
      ])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe("the package", () => {
  it("has no dependencies, and types with descriptions of at most 850 kB", () => {
    const manifest: object = JSON.parse(readFileSync(`${source}../package.json`, "utf8"))
    for (const field of ["dependencies", "peerDependencies", "optionalDependencies"])
      assert.notProperty(manifest, field)
    const types = ["operations.generated.ts", "schemas.generated.ts"].map((name) => statSync(source + name).size)
    assert.isAtMost(
      types.reduce((sum, size) => sum + size, 0),
      850_000
    )
  })
})
