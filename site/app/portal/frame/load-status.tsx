import { Message } from "../../ui/message.tsx";
import { Spinner } from "../../ui/spinner.tsx";

interface LoadStatusProps {
  /** Undefined while the list is loading. */
  answer: { ok: true } | { ok: false; message: string } | undefined;
}

/** A spinner while a list is loading, or the error message. */
export function LoadStatus({ answer }: LoadStatusProps) {
  if (!answer) return <Spinner />;
  if (answer.ok) return null;
  return (
    <Message tone="error">
      <p>{answer.message}</p>
    </Message>
  );
}
