import type { HttpServerRequest } from "effect/http"

const charset = /;\s*charset\s*=\s*"?(?<name>[^\s;"]*)/iu

/** Whether the body is in UTF-8, as far as the request says. JSON is in nothing else. */
export const readsCharset = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const type = headers["content-type"]
  if (type === undefined || !type.includes(";")) return true
  const name = charset.exec(type)?.groups?.name
  return name === undefined || /^utf-?8$/iu.test(name)
}
