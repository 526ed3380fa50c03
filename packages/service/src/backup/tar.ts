/** Size of a header, and the unit that members are padded to. */
export const blockBytes = 512

/** Largest size that fits into the 11 octal digits of a header. */
const maxOctalSize = 0o77777777777

/** Start of a member. */
export interface TarHeader {
  readonly name: string
  readonly size: number
}

const checksumOf = (header: Buffer) =>
  header.reduce((sum, byte, place) => sum + (place >= 148 && place < 156 ? 0x20 : byte), 0)

/** The header of a regular file that only its owner can read. Without a time, equal contents give equal bytes. */
export const tarHeader = ({ name, size }: TarHeader): Buffer => {
  const header = Buffer.alloc(blockBytes)
  header.write(name, 0, 100, "utf8")
  header.write("0000600\0", 100, "latin1")
  header.write("0000000\0", 108, "latin1")
  header.write("0000000\0", 116, "latin1")
  if (size <= maxOctalSize) header.write(`${size.toString(8).padStart(11, "0")}\0`, 124, "latin1")
  else {
    // Larger sizes are binary, as GNU tar writes them.
    header[124] = 0x80
    header.writeBigUInt64BE(BigInt(size), 128)
  }
  header.write("00000000000\0", 136, "latin1")
  header.write("0", 156, "latin1")
  header.write("ustar\0", 257, "latin1")
  header.write("00", 263, "latin1")
  header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, 148, "latin1")
  return header
}

/** Reads a header; `null` for the end of the archive, `undefined` for bytes that are not a header. */
export const readTarHeader = (header: Buffer): TarHeader | null | undefined => {
  if (header.every((byte) => byte === 0)) return null
  const text = (from: number, to: number) => header.toString("utf8", from, to).replace(/\0.*$/su, "")
  if (Number.parseInt(text(148, 156).trim(), 8) !== checksumOf(header)) return undefined
  const size =
    header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : Number.parseInt(text(124, 136).trim() || "x", 8)
  return Number.isSafeInteger(size) ? { name: text(0, 100), size } : undefined
}

/** Zeros that fill the last block of a member. */
export const paddingOf = (size: number) => (blockBytes - (size % blockBytes)) % blockBytes
