import type { Population } from "../tenants/Population.ts"
import { automationIdAt } from "../tenants/seededIds.ts"

const pick = <A>(items: ReadonlyArray<A>): A => {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error("There is nothing to pick from.")
  return item
}

/** Reads of random automations, by random callers. */
export const randomReads = ({ callers }: Population) => {
  const rests = new Map(
    callers.map((caller) => [
      caller,
      ` HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${caller.accessToken}\r\nX-Organization-Id: ${caller.organizationId}\r\n\r\n`
    ])
  )
  return () => {
    const caller = pick(callers)
    const place = caller.first + Math.floor(Math.random() * caller.count)
    return `GET /api/v1/automations/${automationIdAt(place)}${rests.get(caller)}`
  }
}

const byte = () => Math.floor(Math.random() * 256)

const login = (email: string, password: string) => {
  const body = JSON.stringify({ email, password })
  return `POST /api/v1/auth/login HTTP/1.1\r\nHost: bench\r\nX-Forwarded-For: 10.${byte()}.${byte()}.${byte()}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** Logins of known people, each from another address. */
export const goodLogins =
  ({ users }: Population) =>
  () => {
    const { email, password } = pick(users)
    return login(email, password)
  }

/** Logins with guessed passwords, each for another account and from another address, which avoids all limits. */
export const guesses = () => {
  let count = 0
  return () => {
    count += 1
    return login(`nobody-${count}@bench.example`, `guess ${count}`)
  }
}
