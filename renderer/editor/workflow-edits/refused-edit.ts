/** Why an edit is not made. The message is a sentence for the person who asked for it. */
export class RefusedEdit extends Error {}
