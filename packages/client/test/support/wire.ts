/** A request as the service would receive it. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: string
}

/** An answer, or a failure of the connection. */
export type Answer = Response | Error | (() => Promise<Response>)

export const baseUrl = "https://parley.test"

export const json = (body: unknown, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(body), { ...init, headers: { "content-type": "application/json", ...init.headers } })

/** A problem document as the service writes it. */
export const problem = (status: number, code: string, fields: object = {}, headers: HeadersInit = {}): Response =>
  new Response(
    JSON.stringify({
      type: `/docs#problem/${code}`,
      title: code,
      status,
      detail: `It is ${code}.`,
      code,
      requestId: "r1",
      ...fields
    }),
    { status, headers: { "content-type": "application/problem+json", ...headers } }
  )

/** A service that returns these answers in turn, and then repeats the last one. */
export const serviceOf = (...answers: ReadonlyArray<Answer>) => {
  const sent: Array<Sent> = []
  const answer: typeof fetch = async (url, init) => {
    const request = new Request(url, init)
    const { headers, method } = request
    const given = answers[Math.min(sent.length, answers.length - 1)] ?? json({})
    sent.push({ method, url: request.url.replace(baseUrl, ""), headers, body: await request.text() })
    if (given instanceof Error) throw given
    return given instanceof Response ? given.clone() : given()
  }
  return { fetch: answer, sent }
}
