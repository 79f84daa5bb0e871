package io.dedupstore.server.s3.operation;

import io.dedupstore.core.control.Account;
import io.dedupstore.core.control.ControlService;
import io.dedupstore.server.s3.XmlWriter;

/** Accounts in documents. */
final class Owners {
    private final ControlService control;

    Owners(ControlService control) {
        this.control = control;
    }

    void write(XmlWriter xml, String element, String accountId) {
        xml.open(element);
        content(xml, accountId);
        xml.close();
    }

    /** Id and name into the element that is open. */
    void content(XmlWriter xml, String accountId) {
        String name = control.findAccount(accountId).map(Account::displayName).orElse(accountId);
        xml.text("ID", accountId).text("DisplayName", name);
    }
}
