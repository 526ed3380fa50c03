import { assert, describe, it } from "@effect/vitest"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll } from "vitest"
import { programNamed, runProgram } from "../support/programs.ts"

const proxies = fileURLToPath(new URL("../../../../deploy/proxies/", import.meta.url))
const read = (name: string) => readFileSync(`${proxies}${name}`, "utf8")

const withoutComments = (text: string) => text.replaceAll(/^\s*#.*$/gmu, "")
const caddyfile = withoutComments(read("Caddyfile"))
const site = withoutComments(read("nginx.conf"))

const caddy = programNamed("caddy")
const nginx = programNamed("nginx")
const openssl = programNamed("openssl")

const folder = mkdtempSync(`${tmpdir()}/parley-proxies-`)
afterAll(() => rmSync(folder, { recursive: true }))

describe("the configurations of proxies", () => {
  it("close the metrics", () => {
    assert.match(caddyfile, /@metrics path \/metrics\s+respond @metrics 404/u)
    assert.match(site, /location = \/metrics \{\s+return 404;/u)
  })

  it("take no address of a caller from the caller", () => {
    assert.notMatch(caddyfile, /trusted_proxies|X-Forwarded-For/u)
    assert.match(site, /X-Forwarded-For \$remote_addr;/u)
  })

  it("buffer no request and no event stream", () => {
    assert.notMatch(caddyfile, /request_buffers|buffer_requests/u)
    assert.match(caddyfile, /flush_interval -1/u)
    assert.match(site, /proxy_request_buffering off;/u)
    assert.notMatch(site, /proxy_ignore_headers/u)
  })

  it("repeat a 503 only for idempotent methods", () => {
    assert.match(caddyfile, /@repeatable method GET HEAD OPTIONS$/mu)
    assert.notMatch(caddyfile, /lb_retry_match/u)
    assert.match(site, /proxy_next_upstream error timeout http_503;/u)
    assert.notMatch(site, /non_idempotent/u)
  })
})

describe.skipIf(caddy === null)("the Caddyfile (needs Caddy)", () => {
  it("is valid", () => {
    const args = ["validate", "--adapter", "caddyfile", "--config", `${proxies}Caddyfile`]
    assert.doesNotThrow(() => runProgram(caddy ?? "", args, folder))
  })

  it("is refused with an unknown directive", () => {
    const file = `${folder}/Caddyfile`
    writeFileSync(file, read("Caddyfile").replace("flush_interval", "flush_intervall"))
    assert.throws(() => runProgram(caddy ?? "", ["validate", "--adapter", "caddyfile", "--config", file], folder))
  })
})

describe.skipIf(nginx === null || openssl === null)("nginx.conf (needs nginx and openssl)", () => {
  const keys = `${folder}/keys.pem`
  beforeAll(() => {
    const args = [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-subj",
      "/CN=localhost",
      "-keyout",
      keys,
      "-out",
      keys
    ]
    runProgram(openssl ?? "", args, folder)
  })

  const test = (text: string) => {
    const own = text.replaceAll(/(?<=ssl_certificate(?:_key)? ).+(?=;)/gu, keys)
    writeFileSync(`${folder}/site.conf`, own)
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`
    )
    writeFileSync(
      `${folder}/nginx.conf`,
      `pid ${folder}/pid; error_log stderr warn; events {} http { access_log off; ${temporary.join(" ")} include ${folder}/site.conf; }`
    )
    return runProgram(nginx ?? "", ["-t", "-q", "-p", folder, "-c", `${folder}/nginx.conf`], folder)
  }

  it("is valid", () => {
    assert.doesNotThrow(() => test(read("nginx.conf")))
  })

  it("is refused with an unknown directive", () => {
    assert.throws(() => test(read("nginx.conf").replace("proxy_request_buffering", "proxy_request_bufering")))
  })
})
