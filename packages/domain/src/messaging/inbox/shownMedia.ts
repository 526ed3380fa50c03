import { type Media, MediaView } from "./Media.ts"

/** A file as it is shown. */
export const shownMedia = ({ createdAt, filename, id, kind, mimeType, size }: Media): MediaView =>
  new MediaView({ id, kind, mimeType, filename, size, createdAt })
