/** Who mails come from. */
export interface Sender {
  readonly name: string
  readonly address: string
}

const atom = '[^\\s<>"(),:;\\\\@\\[\\]\\p{Cc}]'

const address = `(${atom}{1,64}@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)*)`

const plain = new RegExp(`^${address}$`, "u")

const named = new RegExp(`^([^<>"\\\\@,;:\\p{Cc}]{1,100}?) *<${address}>$`, "u")

/** Reads `no-reply@shop.example` or `Shop <no-reply@shop.example>`; `null` when it is neither. */
export const senderOf = (text: string): Sender | null => {
  const alone = plain.exec(text)?.[1]
  if (alone !== undefined) return { name: "", address: alone }
  const [, name, address] = named.exec(text) ?? []
  return name === undefined || address === undefined ? null : { name: name.trim(), address }
}

/** Whether this is one mailbox and nothing else: no list, no comment, no route, no second line. */
export const isMailbox = (text: string): boolean => plain.test(text)
