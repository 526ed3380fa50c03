import { assert, describe, it } from "@effect/vitest"
import { redactRequestHeaders, redactResponse } from "@parley/domain/integrations"

const secret = "whsec_pT8oJ0Zb1l8wqVn1y0d3m5q7u9x2a4c6e8g0i2k4m6s="

const bodyOf = (text: string, secrets: ReadonlyArray<string> = [secret]) =>
  redactResponse({ headers: {}, text }, secrets).body

describe("details of an attempt", () => {
  it("show the values of known request headers only", () => {
    assert.deepStrictEqual(
      redactRequestHeaders(
        { "webhook-id": "d1", "webhook-signature": "v1,abc", "x-team": "orders" },
        new Set(["webhook-id"])
      ),
      { "webhook-id": "d1", "webhook-signature": "[redacted]", "x-team": "[redacted]" }
    )
  })

  it("hide cookies and credentials in answer headers", () => {
    const headers = {
      server: "nginx",
      "set-cookie": "id=1",
      "www-authenticate": "Basic",
      "x-api-key": "1234",
      "x-echo": `Bearer abc ${secret}`
    }
    assert.deepStrictEqual(redactResponse({ headers, text: "" }, [secret]).headers, {
      server: "nginx",
      "set-cookie": "[redacted]",
      "www-authenticate": "[redacted]",
      "x-api-key": "[redacted]",
      "x-echo": "Bearer [redacted] [redacted]"
    })
  })

  it("hide known secrets and values that look like secrets in the body", () => {
    assert.strictEqual(bodyOf(`got ${secret}`), "got [redacted]")
    assert.strictEqual(
      bodyOf('{"author":"Ada","accessToken":"a\\"b","password": "p","n":1}'),
      '{"author":"Ada","accessToken":[redacted],"password": [redacted],"n":1}'
    )
    assert.strictEqual(bodyOf("token=abc&id=7"), "token=[redacted]&id=7")
    assert.strictEqual(bodyOf("Authorization: Bearer abc.def"), "Authorization: [redacted] [redacted]")
  })

  it("keep one kilobyte of whole characters, and no secret that the end cuts", () => {
    const body = bodyOf("é".repeat(1_000))
    assert.strictEqual(body, "é".repeat(512))
    const cut = bodyOf(`${"x".repeat(1_020)}${secret}`)
    assert.strictEqual(cut, `${"x".repeat(1_020)}[red`)
    assert.strictEqual(bodyOf("a\u0000b\n"), "ab\n")
    assert.isTrue(bodyOf(`${"x".repeat(4_095)}🎉`).isWellFormed())
  })

  it("take little time for hostile bodies", () => {
    for (const piece of ["token", "token-", "secret ", '"', "bearer ", "auth=", "\\"]) {
      assert.isAtMost(bodyOf(piece.repeat(20_000)).length, 1_024)
    }
  })
})
