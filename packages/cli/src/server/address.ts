import { WrongUsage } from "@parley/service/configuration"
import { Effect } from "effect"

const isLoopback = (host: string) => host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host)

/** The address as all ways of writing it come to, without a slash at its end. */
export const normalAddress = (address: string) => {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`.replace(/\/+$/, "")
}

/** Refuses an address with a password in it, before it is shown to anybody. */
export const requireNobodyIn = Effect.fnUntraced(function* (address: string) {
  const { password, username } = new URL(address)
  if (username === "" && password === "") return
  return yield* new WrongUsage({ message: "An address has no user and no password in it: parley login asks for them." })
})

/** Refuses an address to which a password or a token must not go. */
export const requireSafe = Effect.fnUntraced(function* (address: string, insecure: boolean) {
  const { hostname, protocol } = new URL(address)
  if (protocol === "https:" || isLoopback(hostname) || insecure) return
  return yield* new WrongUsage({
    message: `Anybody on the way to ${address} could read your password and tokens. Use https://, or say --insecure.`
  })
})
